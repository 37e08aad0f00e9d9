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
    type: /timed?out(error|exception|expired)?$|timelimitexceeded$|(^|\.)querycancell?ed(error)?$/i,
  }),
  rule('web platform', 'AbortError, where cancellations are captured', { type: /(^|\.)AbortError$/i }),
  rule(
    'Python, requests, urllib3, httpx, aiohttp, botocore',
    'ConnectionError and other types of a broken connection',
    {
      type: /(^|\.)(connection(reset|refused|aborted|closed)?error|brokenpipeerror|gaierror|remotedisconnected|incompleteread(error)?|chunkedencodingerror|maxretryerror|newconnectionerror|nameresolutionerror|endpointconnectionerror|serverdisconnectederror)$/i,
    },
  ),
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
  rule('pg, psycopg', 'a connection that ended or was not had in time', {
    message:
      /connection (terminated|broken|failed: )|timeout exceeded when trying to connect|query read timeout|server closed the connection|could not connect to server|couldn.t get a connection after|ssl syscall error/i,
  }),
  rule('AWS SDK', 'SlowDown, ThrottlingException, RequestTimeout, ServiceUnavailable …', {
    type: /(^|\.)(SlowDown|Throttl\w*|TooManyRequests(Exception)?|RequestThrottled(Exception)?|RequestLimitExceeded|ProvisionedThroughputExceededException|BandwidthLimitExceeded|LimitExceededException|EC2ThrottledException|PriorRequestNotComplete|TransactionInProgressException|RequestTimeout(Exception)?|ServiceUnavailable(Exception)?|Internal(Failure|ServerError|ServerException)|NetworkingError)$/i,
  }),
  // database drivers too have an InternalError, and say in its text what is wrong
  rule('AWS SDK', 'InternalError, answered with status 500', { type: /^InternalError$/, status: /^500$/ }),
  rule('HTTP clients', 'status 408, 425, 429, 502, 503, 504 (status, statusCode, response, $metadata)', {
    status: /^(408|425|429|502|503|504)$/,
  }),
  rule('HTTP clients, by text', 'status 408, 425, 429, 502, 503, 504 in the words of an HTTP or upstream error', {
    type: /upstream|http/i,
    message: /\b(408|425|429|502|503|504)\b/,
  }),
  rule('GDAL, curl, requests, urllib, botocore', 'these statuses beside HTTP, status, upstream or their own words', {
    message:
      /\bhttps?(\/\d(\.\d)?)?( (error|status|response|code|status code|response code|error code)) ?:? ?(408|425|429|502|503|504)\b|\bhttps?(\/\d(\.\d)?)?:? (408|425|429|502|503|504)\b|\bstatus( ?code)?[:=]? ?(408|425|429|502|503|504)\b|\bupstream (answered|returned|responded|sent|status|error)( with)?:? (408|425|429|502|503|504)\b/i,
  }),
  rule('AWS, by text', 'SlowDown, Throttling … as the code in an error’s text', {
    message:
      /\b(slowdown|throttl\w*|toomanyrequests(exception)?|requestlimitexceeded|requestthrottled(exception)?|serviceunavailable(exception)?)[):]/i,
  }),
  rule('GDAL, curl', 'CURL errors of the network', {
    message:
      /curl error[^\n]*(resolve|connect|reset|recv|send|timed|ssl|empty reply)|recv failure|connection (was )?(refused|reset|aborted|closed)|could not resolve host|couldn't connect to server/i,
  }),
  rule('child processes', 'execa: timed out', { flag: 'timedOut' }),
  rule('any, by text', 'timed out, socket hang up, service unavailable, too many requests', {
    message:
      /socket hang up|other side closed|remote end closed|premature close|\btimed?[ -]out\b|\btimedout\b|gateway time|bad gateway|service unavailable|too many requests|reduce your request rate|encountered an internal error|failure in name resolution|broken pipe|retries exceeded/i,
  }),
  rule('Node, by text', 'ECONNRESET, ETIMEDOUT … as the code in an error’s text', {
    message:
      /\b(econnreset|econnrefused|econnaborted|epipe|eai_again|ehostunreach|ehostdown|enetunreach|enetdown|enetreset|e(socket)?timedout)\b|\b(und_)?err_\w*timeout\b/i,
  }),
  rule('Python, by text', 'types of a broken connection, written in the text', {
    message:
      /\b((new|endpoint)?connection(reset|refused|aborted|closed)?error|(remote|server)disconnected(error)?|incompleteread(error)?|querycancell?ed|timelimitexceeded)\b/i,
  }),
  // the name of an option is no wait: quoted, assigned, part of a longer name, or said to be of a wrong kind
  rule('any, by text', 'timeout, ReadTimeout, TimeoutError', {
    message:
      /(^|[^\w'"`])[a-z]*timed?out(error|exception|expired)?(?=$|[^\w'"`=])(?! (must|should|has to|needs to|is not|value|argument|parameter|option|setting|keyword|column|field)\b)/i,
  }),
];
