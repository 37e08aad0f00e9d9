/** The pipeline's own checks of what a library gave back without an error. */

/** The declared CRS and the place where the numbers land disagree. */
export class CrsMismatchError extends Error {
  override name = 'CrsMismatchError';
}

/** A projection gave back numbers that are none. */
export class ReprojectionError extends Error {
  override name = 'ReprojectionError';
}

/** A repair would have changed more of a geometry than the pipeline allows. */
export class GeometryRepairError extends Error {
  override name = 'GeometryRepairError';
}

/** A pixel window that its raster does not hold. */
export class WindowError extends Error {
  override name = 'WindowError';
}

/** The upstream answered, with a status that is no success. */
export class UpstreamError extends Error {
  override name = 'UpstreamError';
}
