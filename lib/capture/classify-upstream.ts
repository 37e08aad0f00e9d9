import type { ClassifyRule } from './classify-rules';

const rule = (from: string, says: string, when: Partial<ClassifyRule>): ClassifyRule => ({
  failure_class: 'upstream_timeout',
  from,
  says,
  ...when,
});

/** What waits for something else, or is turned away by it for now. */
export const UPSTREAM_RULES: readonly ClassifyRule[] = [
  rule('web platform, AWS SDK, p-timeout, got, pg …', 'TimeoutError and other types named so', {
    type: /time(d)?out(error|exception)?$/i,
  }),
  rule('web platform', 'AbortError, where cancellations are captured', { type: /^AbortError$/ }),
  rule('undici, fetch', 'connect, headers, body and socket errors (UND_ERR_…)', {
    code: /^UND_ERR_(CONNECT|CONNECT_TIMEOUT|HEADERS_TIMEOUT|BODY_TIMEOUT|SOCKET|CLOSED|DESTROYED|ABORTED|REQ_RETRY|RES_CONTENT_LENGTH_MISMATCH|PRX_TLS)$/,
  }),
  rule('Node', 'ECONNRESET, ETIMEDOUT, ECONNREFUSED, EPIPE, EAI_AGAIN …', {
    code: /^(ECONNRESET|ETIMEDOUT|ESOCKETTIMEDOUT|ECONNREFUSED|ECONNABORTED|EPIPE|EAI_AGAIN|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENETRESET)$/,
  }),
  rule('Node', 'a connection that broke off (HTTP/2, TLS, streams)', {
    code: /^(ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP2_(STREAM_ERROR|SESSION_ERROR|GOAWAY_SESSION|INVALID_SESSION|PING_CANCEL)|ERR_TLS_HANDSHAKE_TIMEOUT|ERR_SOCKET_CONNECTION_TIMEOUT|ERR_NETWORK)$/,
  }),
  rule('PostgreSQL', '57014 and other timeouts, 08 connection, 53 no room, 55P03 lock, 40001, 40P01, 57P shutdown', {
    code: /^(57014|57P0[1-5]|55P03|40001|40P01|25P0[34]|08\w{3}|53\w{3})$/,
  }),
  rule('pg', 'a connection that ended or was not had in time', {
    message: /connection terminated|timeout exceeded when trying to connect|query read timeout/i,
  }),
  rule('AWS SDK', 'SlowDown, ThrottlingException, RequestTimeout, ServiceUnavailable, InternalError …', {
    type: /^(SlowDown|Throttl\w*|TooManyRequests(Exception)?|RequestThrottled(Exception)?|RequestLimitExceeded|ProvisionedThroughputExceededException|BandwidthLimitExceeded|LimitExceededException|EC2ThrottledException|PriorRequestNotComplete|TransactionInProgressException|RequestTimeout(Exception)?|ServiceUnavailable(Exception)?|Internal(Error|Failure|ServerError|ServerException)|NetworkingError)$/,
  }),
  rule('HTTP clients', 'status 408, 425, 429, 502, 503, 504 (status, statusCode, response, $metadata)', {
    status: /^(408|425|429|502|503|504)$/,
  }),
  rule('HTTP clients, by text', 'status 408, 425, 429, 502, 503, 504 in the words of an HTTP or upstream error', {
    type: /upstream|http/i,
    message: /\b(408|425|429|502|503|504)\b/,
  }),
  rule('GDAL, curl', 'HTTP response code 408, 429, 502, 503, 504', {
    message: /http (response|error) code ?:? ?(408|425|429|502|503|504)\b|status code:? (408|425|429|502|503|504)\b/i,
  }),
  rule('GDAL, curl', 'CURL errors of the network', {
    message:
      /curl error.*(resolve|connect|reset|recv|send|timed|ssl|empty reply)|recv failure|connection (was )?(refused|reset|aborted|closed)|could not resolve host|couldn't connect to server/i,
  }),
  rule('child processes', 'execa: timed out', { flag: 'timedOut' }),
  rule('any, by text', 'timed out, socket hang up, service unavailable, too many requests', {
    message:
      /socket hang up|other side closed|premature close|timed? ?-?out\b|\btimeout\b|etimedout|econnreset|econnrefused|gateway time|service unavailable|too many requests|reduce your request rate/i,
  }),
];
