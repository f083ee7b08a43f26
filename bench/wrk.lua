-- For wrk: visits that are each another visitor's, and one line of JSON about what came of them.
-- Arguments: the request before the visitor's address, the request after it, how many visitors there were before.

local before, after, number

function init(args)
  before, after, number = args[1], args[2], tonumber(args[3])
end

function request()
  number = number + 1
  local high, middle, low = math.floor(number / 65536) % 256, math.floor(number / 256) % 256, number % 256
  return before .. "203." .. high .. "." .. middle .. "." .. low .. after
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '{"answered":%d,"failed":%d,"seconds":%.6f,"p99":%.3f}\n'
  io.write(line:format(summary.requests, failed, summary.duration / 1e6, latency:percentile(99) / 1000))
end
