-- The class of what broke, as the clients' tables of rules tell it by an error's type and text (lib/capture/classify-rules.ts;
-- test/db/classify-agreement.test.ts holds them together). An error's type says more of geometry and coordinates than its text.
-- An expression builds its states anew at each call, so it costs what its alternatives do: pieces of words are looked for first (by
-- strpos, 0.1 µs, or some of them by one expression, 5 to 20 µs). A word begins with \W: \y keeps any state from being cached.
create or replace function dlq.classify(error_type text, error_text text) returns text language plpgsql immutable parallel safe as $$
declare
  kind text collate "C" := lower(coalesce(error_type, '') collate "C");
  name text collate "C" := case when strpos(kind, '.') > 0 then reverse(split_part(reverse(kind), '.', 1)) else kind end;
  -- a library says at the beginning what is wrong, a child process at the end
  said text collate "C" := ' ' || lower(case when length(error_text) > 4000 then left(error_text, 2000) || E'\n' || right(error_text, 2000)
    else coalesce(error_text, '') end collate "C") || ' ';
begin
  if name in ('memoryerror', '_arraymemoryerror', 'arraymemoryerror', '_memoryerror', 'outofmemory', 'outofmemoryerror', 'outofmemoryexception') then
    return 'oom';
  end if;
  if said ~ 'memor|alloc|heap limit|typed array|string l|kill|\(oom\)| 137|signal 9'
    and said ~ ('out[ _]?of[ _]?memory|reached heap limit|reaching memory limit|memoryerror|memory access out of bounds|(enlarge|grow) memory'
      '|array buffer allocation failed|invalid typed array length: \d{7}|(^ |rangeerror: )invalid string length\s*(\n|$)'
      '|cannot create a string longer than|(cannot|could not|failed to|unable to) (re)?allocate|malloc\S* ?(failed|of \d)|bad_?alloc'
      '|oom-?killed|aborted\(oom\)|\Wexit(ed)?( with)?( code| status)?:? 137\M'
      '|(killed|terminated|died)( by| with)?( signal)? (<signals\.)?sigkill|\Wsignal 9\M') then
    return 'oom';
  end if;

  if name in ('querycanceled', 'querycancelled', 'querycancelederror', 'querycancellederror', 'timelimitexceeded', 'aborterror', 'connectionerror',
      'connectionreseterror', 'connectionrefusederror', 'connectionabortederror', 'connectionclosederror', 'brokenpipeerror', 'gaierror',
      'remotedisconnected', 'incompleteread', 'incompletereaderror', 'chunkedencodingerror', 'maxretryerror', 'newconnectionerror',
      'nameresolutionerror', 'endpointconnectionerror', 'serverdisconnectederror', 'slowdown', 'toomanyrequests', 'toomanyrequestsexception',
      'requestthrottled', 'requestthrottledexception', 'requestlimitexceeded', 'provisionedthroughputexceededexception', 'bandwidthlimitexceeded',
      'limitexceededexception', 'ec2throttledexception', 'priorrequestnotcomplete', 'transactioninprogressexception', 'serviceunavailable',
      'serviceunavailableexception', 'internalfailure', 'internalservererror', 'internalserverexception', 'networkingerror')
    or name like 'throttl%' or strpos(name, 'out') > 0 and name ~ 'timed?out(error|exception|expired)?$' then
    return 'upstream_timeout';
  end if;
  if (strpos(kind, 'http') > 0 or strpos(kind, 'upstream') > 0) and said ~ '\W(408|425|429|502|503|504)\M' then
    return 'upstream_timeout';
  end if;
  -- the name of an option is no wait: quoted, assigned, part of a longer name, or said to be of a wrong kind
  if strpos(said, 'time') > 0
    and said ~ ('\Wtimed?[ -]out\M|gateway time|query read timeout|\Wtimelimitexceeded\M|\We(socket)?timedout\M|\W(und_)?err_\w*timeout\M'
      '|[^\w''"`][a-z]*timed?out(error|exception|expired)?(?=[^\w''"`=])'
      '(?! (must|should|has to|needs to|is not|value|argument|parameter|option|setting|keyword|column|field)\M)') then
    return 'upstream_timeout';
  end if;
  if (strpos(said, 'http') > 0 or strpos(said, 'status') > 0 or strpos(said, 'upstream') > 0)
    and said ~ ('\W(https?(/\d(\.\d)?)?( (error|status|response|code|status code|response code|error code) ?)?:?|status( ?code)?[:=]?'
      '|upstream (answered|returned|responded|sent|status|error)( with)?:?) ?(408|425|429|502|503|504)\M') then
    return 'upstream_timeout';
  end if;
  if said ~ ('connect|side closed|end closed|request|unavailable|bad gate|curl|recv fail|resolve host|hang up|premature|name resol|syscall|broken pipe|retries ex'
      '|slowdown|throttl|econn|epipe|eai_|ehost|enet|incompleteread|querycancel|an internal e')
    and said ~ ('connection (terminated|broken|failed: |(was )?(refused|reset|aborted|closed))|server closed the connection'
      '|could not connect to server|couldn.t (get a connection after|connect to server)|ssl syscall error'
      '|curl error[^\n]*(resolve|connect|reset|recv|send|timed|ssl|empty reply)|recv failure|could not resolve host'
      '|socket hang up|other side closed|remote end closed|premature close|bad gateway|service unavailable|too many requests'
      '|reduce your request rate|encountered an internal error|failure in name resolution|broken pipe|retries exceeded'
      '|\W(econn(reset|refused|aborted)|epipe|eai_again|ehost(unreach|down)|enet(unreach|down|reset))\M'
      '|\W(slowdown|throttl\w*|toomanyrequests(exception)?|requestlimitexceeded|requestthrottled(exception)?|serviceunavailable(exception)?)[):]'
      '|\W((new|endpoint)?connection(reset|refused|aborted|closed)?error|(remote|server)disconnected(error)?|incompleteread(error)?'
      '|querycancell?ed)\M') then
    return 'upstream_timeout';
  end if;

  if name in ('topologyexception', 'topologicalerror', 'geosexception', 'nonnodedexception', 'assertionfailedexception', 'parseexception',
      'wkbreadingerror', 'wktreadingerror', 'shapelyerror')
    or (strpos(kind, 'geometry') > 0 or strpos(kind, 'topology') > 0 or strpos(kind, 'polygon') > 0)
      and kind ~ '(geometry|topology|polygon)\w*(error|exception)$'
    or kind like 'shapely.%' and (kind like '%error' or kind like '%exception') then
    return 'invalid_geometry';
  end if;
  if (strpos(kind, 'crs') > 0 or strpos(kind, 'proj') > 0 or strpos(kind, 'spatialreference') > 0)
    and kind ~ '(crs\w*|proj(ection|4)?)(error|exception)$|spatialreference\w*$' then
    return 'crs_mismatch';
  end if;

  if said ~ ('topolog|noded|location conf|depth mism|to assign|diredge|visited tw|encountered nan|linear ?ring|closed linestring|closed ring|not closed|isn''t closed|be closed|intersect|ring self|duplicate ring'
      '|output ring|hole|shell|interior is|degenerate|geosex|shapelyerr')
    and said ~ ('topology ?exception|non-?noded|side location conflict|depth mismatch at|unable to assign (free )?hole'
      '|directed edge visited twice|no outgoing diredge|found null diredge|orientationindex encountered nan|linear ?ring'
      '|closed (linestring|ring)|\Wrings?\W([^\n]*\W)?(not|isn''t) closed|rings? must be closed|self-?\s?intersect|ring self'
      '|holes? (lies|is|are) (outside|nested)|nested (holes|shells)|interior is disconnected|duplicate rings'
      '|unable to complete output ring|tried to create degenerate segment|\W(geosexception|topologicalerror|shapelyerror)\M') then
    return 'invalid_geometry';
  end if;
  if said ~ 'geometr|points|coord|position|finite|polygone|wk[bt]|ogr|parseex|expected group'
    and (strpos(said, 'requires more points') > 0 or strpos(said, 'too few points in geometry') > 0 or strpos(said, 'invalid geometry') > 0
      or strpos(said, 'invalid input geometry') > 0 or strpos(said, 'geometry is not valid') > 0 or strpos(said, 'geometry is invalid') > 0
      or strpos(said, 'geometry contains invalid') > 0 or strpos(said, 'geometry contain invalid') > 0
      or strpos(said, 'geometry contains not valid') > 0 or strpos(said, 'geometry contain not valid') > 0
      or strpos(said, 'input geometry is not a valid') > 0 or strpos(said, 'could not create geometry') > 0
      or strpos(said, 'expected geometry type') > 0 or strpos(said, 'geometryerror') > 0 or strpos(said, 'geometryexception') > 0
      or strpos(said, 'polygonerror') > 0 or strpos(said, 'polygonexception') > 0 or strpos(said, 'coordinates must be finite') > 0
      or strpos(said, 'coordinates must contain') > 0 or strpos(said, 'coordinates must only contain') > 0
      or strpos(said, 'coordinates must be an array') > 0 or strpos(said, 'nan coordinate') > 0 or strpos(said, 'coord must be') > 0
      or strpos(said, 'at least 4 coordinates') > 0 or strpos(said, 'at least four coordinates') > 0 or strpos(said, 'expected coordinates') > 0
      or strpos(said, 'expected group start') > 0 or strpos(said, 'expected group end') > 0 or strpos(said, 'non-finite') > 0
      or strpos(said, 'nonfinite') > 0 or strpos(said, 'first and last position are not equ') > 0
      or strpos(said, 'first and last positions are not equ') > 0
      or (strpos(said, 'geometrytype') > 0 or strpos(said, 'coordinate') > 0 or strpos(said, 'points') > 0 or strpos(said, 'position') > 0)
        and said ~ ('geometrytype \d+ not supported|coordinates? (is|are|contains?) (nan|not finite|inf)|invalid coordinate (value )?nan'
          '|(4 or more|fewer than (4|four)) (positions|points)')
      or (strpos(said, 'wkb') > 0 or strpos(said, 'wkt') > 0 or strpos(said, 'ogr') > 0 or strpos(said, 'parseex') > 0)
        and said ~ ('\W(invalid|unknown|corrupt|bad|unsupported|truncated|cannot parse) (hex )?e?wk[bt]\M|unexpected eof parsing wk[bt]'
          '|\Wwkb\W[^\n]*(structure|invalid|too (short|small)|does not match)|wk[bt]readingerror|\Wparseexception\M'
          '|ogrerr_(corrupt_data|unsupported_geometry|not_enough_data)|ogr error: (corrupt data|unsupported geometry|not enough data)')) then
    return 'invalid_geometry';
  end if;

  if said ~ ('proj|crs|srs|srid|epsg|spatial ref|coordinate|transform|itude|tolerance|valid json|afterquote|initiali[sz]ation li|base context'
      '|axis order|operation f|output bo')
    and (strpos(said, 'could not get projection name') > 0 or strpos(said, 'cannot find proj') > 0 or strpos(said, 'proj_create') > 0
      or strpos(said, 'proj_trans') > 0 or strpos(said, 'failed to project') > 0 or strpos(said, 'failed to reproject') > 0
      or strpos(said, 'unable to project') > 0 or strpos(said, 'unable to reproject') > 0 or strpos(said, 'cannot to project') > 0
      or strpos(said, 'cannot to reproject') > 0 or strpos(said, 'projerror') > 0 or strpos(said, 'projexception') > 0
      or strpos(said, 'proj4error') > 0 or strpos(said, 'proj4exception') > 0 or strpos(said, 'projectionerror') > 0
      or strpos(said, 'projectionexception') > 0 or strpos(said, 'latitude or longitude exceeded') > 0
      or strpos(said, 'tolerance condition error') > 0 or strpos(said, 'could not parse to valid json') > 0
      or strpos(said, 'no arguments in initialization list') > 0 or strpos(said, 'no arguments in initialisation list') > 0
      or strpos(said, 'no database context') > 0 or strpos(said, 'axis order') > 0 or strpos(said, 'no operation found matching') > 0
      or strpos(said, 'unable to compute a transformation') > 0 or strpos(said, 'unable to compute output bounds') > 0
      or strpos(said, 'failed to transform') > 0 or strpos(said, 'unable to transform') > 0 or strpos(said, 'cannot to transform') > 0
      or strpos(said, 'cannot transform naive geometries') > 0 or strpos(said, 'cannot find srid') > 0 or strpos(said, 'mixed srid') > 0
      or strpos(said, 'cannot find coordinate operation') > 0 or strpos(said, 'failed to find coordinate operation') > 0
      or strpos(said, 'cannot transform coordinates') > 0
      or strpos(said, 'proj') > 0
        and said ~ '\Wproj(_\w+)?: |\Wproj error\M|outside (of )?(the )?projection domain|no translation for [^\n]* to proj'
      or (strpos(said, 'projection') > 0 or strpos(said, 'crs') > 0 or strpos(said, 'srs') > 0 or strpos(said, 'srid') > 0
          or strpos(said, 'epsg') > 0 or strpos(said, 'spatial ref') > 0 or strpos(said, 'coordinate ') > 0)
        and said ~ ('((unknown|unrecogni[sz]ed|unsupported|invalid) (projection|crs|srs|srid|epsg( code)?|coordinate (reference )?system|spatial ref\w*)'
          '|(\Wno|missing|without|lacks?)( a| any)? (spatial ref\w*|srs|crs|coordinate system|projection))'
          '(?=\W)(?! (column|field|parameter|argument|attribute|key|option)\M)')
      or (strpos(said, 'crs') > 0 or strpos(said, 'srid') > 0 or strpos(said, 'spatial_ref_sys') > 0)
        and said ~ ('\W(crs|srid|spatial_ref_sys)[): ]+([^\s"''/]+ )?(is )?(not found|unknown|no such)'
          '|\Wcrs mismatch|\Wcrss? do(es)? not match|geometry has unknown [^\n]*srid|\Wsrid \d+ (not found|is not)|crs[a-z]*(error|exception)\M')
      or (strpos(said, 'afterquote') > 0 or strpos(said, 'transform: ') > 0 or strpos(said, 'itude') > 0 and strpos(said, 'out of ') > 0)
        and said ~ ('haven''?t handled [^\n]* in afterquote|transform: [^\n]*\(\d{4}\)'
          '|\W(latitude|longitude)\W[^\n]*out of (range|bounds)|out of (range|bounds)\W([^\n]*\W)?(latitude|longitude)\M')) then
    return 'crs_mismatch';
  end if;
  return 'unknown';
end $$;
