"""Writes failures as a team's SQLAlchemy models with GeoAlchemy2 do: a unit of work, an upsert, a mark, a read.

argv: connection string, schema, table of the first document's shape. stdin: one JSON object a line, each one failure.
Prints what the session reads back, one JSON object.
"""

import json
import sys
from datetime import datetime, timezone

import shapely.wkt
from geoalchemy2 import Geometry
from geoalchemy2.shape import from_shape, to_shape
from sqlalchemy import Column, DateTime, Integer, SmallInteger, Text, create_engine, func, select
from sqlalchemy.dialects.postgresql import JSONB, insert
from sqlalchemy.orm import Session, declarative_base

url, schema, table = sys.argv[1:4]
Base = declarative_base()


class DeadLetter(Base):
    __tablename__ = table
    __table_args__ = {"schema": schema}
    work_key = Column(Text, primary_key=True)
    task_name = Column(Text, nullable=False)
    geom = Column(Geometry(geometry_type=None, srid=-1, spatial_index=False))
    src_crs = Column(Text)
    tile_z = Column(SmallInteger)
    tile_x = Column(Integer)
    tile_y = Column(Integer)
    params = Column(JSONB, nullable=False)
    failure_class = Column(Text, nullable=False)
    error_text = Column(Text)
    traceback = Column(Text)
    attempts = Column(Integer, nullable=False, server_default="1")
    failed_at = Column(DateTime(timezone=True), nullable=False)
    redriven_at = Column(DateTime(timezone=True))
    resolved_at = Column(DateTime(timezone=True))


def values(work):
    return {
        "work_key": work["work_key"],
        "task_name": work["task_name"],
        "geom": from_shape(shapely.wkt.loads(work["wkt"]), srid=work["srid"]),
        "src_crs": work["src_crs"],
        "params": work["params"],
        "failure_class": work.get("failure_class", "unknown"),
        "error_text": work.get("error_text"),
        "failed_at": datetime.now(timezone.utc),
    }


works = [json.loads(line) for line in sys.stdin]
engine = create_engine(url.replace("postgres://", "postgresql+psycopg2://", 1).replace("postgresql://", "postgresql+psycopg2://", 1))
with Session(engine) as session:
    session.add_all([DeadLetter(**values(work)) for work in works])
    session.commit()
    for work in works:
        proposed = insert(DeadLetter).values(**values({**work, "error_text": "again"}))
        session.execute(
            proposed.on_conflict_do_update(
                index_elements=[DeadLetter.work_key],
                set_={"attempts": DeadLetter.attempts + 1, "error_text": proposed.excluded.error_text, "failed_at": func.now()},
            )
        )
    session.commit()
    session.get(DeadLetter, works[0]["work_key"]).resolved_at = func.now()
    session.commit()
    read = session.execute(select(DeadLetter).order_by(DeadLetter.work_key)).scalars().all()
    keys = {work["work_key"] for work in works}
    print(json.dumps({row.work_key: {"attempts": row.attempts, "wkt": to_shape(row.geom).wkt, "srid": row.geom.srid} for row in read if row.work_key in keys}))
