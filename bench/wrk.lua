-- What wrk sends, and what it tells: random requests out of a file, in which a NUL byte stands between each two; at the end one
-- line of JSON, the same that bench/client.ts prints.
local requests = {}

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for request in file:read("*a"):gmatch("%Z+") do
    requests[#requests + 1] = request
  end
  file:close()
  math.randomseed(os.time())
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format(
    '\n{"calls":%d,"perSecond":%.1f,"medianMilliseconds":%.3f,"p99Milliseconds":%.3f,"failed":%d}\n',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(50) / 1e3,
    latency:percentile(99) / 1e3, failed
  ))
end
