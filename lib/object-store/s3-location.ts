import type { Credentials } from './s3-request';

/** Where the objects are and with what they are asked for. */
export interface Location {
  bucket: string;
  /** Empty, or ends with a slash. */
  prefix: string;
  /** Of the bucket, ends with a slash. */
  base: string;
  credentials: Credentials;
}

const SHAPE = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;

/** Reads `s3://bucket/prefix` and the variables it needs. @throws Error naming the one that is missing or wrong. */
export function readLocation(url: string, environment: Record<string, string | undefined>): Location {
  const [, bucket, path = ''] = SHAPE.exec(url) ?? [];
  if (bucket === undefined) throw new Error(`“${url.slice(0, 100)}” is no s3://bucket/prefix`);
  const missing = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'].filter((name) => !environment[name]);
  if (missing.length > 0) throw new Error(`${missing.join(' and ')} must be set to reach ${url}`);
  const region = environment.AWS_REGION || 'us-east-1';
  const prefix = path.replace(/\/+$/, '');
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    base: baseOf(bucket, region, environment.DLO_S3_ENDPOINT),
    credentials: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID ?? '',
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY ?? '',
      ...(environment.AWS_SESSION_TOKEN ? { sessionToken: environment.AWS_SESSION_TOKEN } : {}),
      region,
    },
  };
}

function baseOf(bucket: string, region: string, endpoint: string | undefined): string {
  if (endpoint) {
    if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint))
      throw new Error(
        `DLO_S3_ENDPOINT must be a URL like https://storage.example:9000; it is “${endpoint.slice(0, 100)}”`,
      );
    return `${endpoint.replace(/\/+$/, '')}/${bucket}/`;
  }
  // A certificate for *.s3.region.amazonaws.com does not cover a name with dots in it.
  if (bucket.includes('.')) return `https://s3.${region}.amazonaws.com/${bucket}/`;
  return `https://${bucket}.s3.${region}.amazonaws.com/`;
}
