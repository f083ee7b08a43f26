import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from '../config/config.ts'
import { classifyDatabaseError } from '../database/database-errors.ts'
import { causeOfWork } from '../work-context.ts'
import { createLogThrottle } from './log-throttle.ts'

type Settings = Pick<Config, 'logLevel' | 'appEnv'>

/**
 * Creates the product's log: JSON lines in UTC on standard error. Lines are written asynchronously, and contain the id
 * of their request or job; failures because the database is unavailable or full give one line a minute. Call `flushLog`
 * before the process is ended by force.
 */
export function createLogger({ logLevel, appEnv }: Settings, destination?: DestinationStream): Logger {
  const tell = createLogThrottle((level, fields, words) => log[level](fields, words))
  const log: Logger = pino(
    {
      level: logLevel,
      base: { env: appEnv },
      mixin: () => ({ ...causeOfWork() }),
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]), censor: '…' },
      serializers: { req: describeRequest, res: describeAnswer, err: describeError, error: formatProblem },
      hooks: {
        logMethod(args, method, level) {
          const { err, error } = (args[0] ?? {}) as { err?: unknown; error?: unknown }
          const trouble = level < FATAL && (classifyDatabaseError(err) ?? classifyDatabaseError(error))
          if (trouble) return tell(trouble, formatProblem(err ?? error))
          const last = args.length - 1
          if (typeof args[last] === 'string') args[last] = maskSecrets(args[last])
          method.apply(this, args)
        },
      },
    },
    destination ?? pino.destination({ fd: 2, sync: false }),
  )
  return log
}

const FATAL = pino.levels.values.fatal!

/** For commands, whose report is all they print. */
export const silent = pino({ level: 'silent' })

/** Writes pending lines, before the process ends. */
export const flushLog = (log: Logger) => new Promise<void>((resolve) => log.flush(() => resolve()))

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'token',
  'accessToken',
  'refreshToken',
  'apiKey',
  'secret',
  'secretKey',
  'webhookSecret',
  'wiseToken',
  'accountNumber',
  'routingNumber',
]

/** Masks `sarah@example.com` as `s…@example.com`: enough to recognise, too little to write to. */
export const maskEmail = (email: string) => email.replace(/^(.).*(?=@)/s, '$1…')

/**
 * Masks values that must not be logged: tokens, keys, passwords in addresses, and e-mails except their first letter.
 */
export function maskSecrets(text: string): string {
  return text
    .replace(/((?:#|[?&;])(?:token|code|state|key|secret)=)[^\s&#"']+/gi, '$1…')
    .replace(/\b(Bearer|Basic|wise:) ?[^\s"',]+/g, '$1 …')
    .replace(/(:\/\/[^\s:/@]*):[^\s/@]+@/g, '$1:…@')
    .replace(/(\/(?:hooks\/(?:in|providers\/[^\s/?#]+)|mail\/unsubscribe)\/)[^\s/?#"']+/g, '$1…')
    .replace(/\b(whsec_|sk_|rk_)[A-Za-z0-9_]+/g, '$1…')
    .replace(/\b(tpk_|tut_|tpp_|tpl_)[\w-]+/g, '$1…')
    .replace(/(?<![^\s@<>"'(),;:=/])[^\s@<>"'(),;:=/]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/gi, maskEmail)
}

/** Returns an address for the log: only the path without its tokens, because queries contain searches and click ids. */
export const maskUrl = (url: string) => maskSecrets(url.replace(/[?#].*$/s, ''))

type Request = { id?: unknown; method?: string; url?: string; ip?: string }
const describeRequest = ({ id, method, url = '', ip }: Request) => ({ id, method, url: maskUrl(url), ip })

const describeAnswer = ({ statusCode }: { statusCode?: number }) => ({ status: statusCode })

/** Returns an error's fields that never contain a row's values, unlike PostgreSQL's `detail`. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return formatProblem(error)
  const { name, message, stack, cause } = error
  const { code, constraint, table, routine } = error as {
    [field in 'code' | 'constraint' | 'table' | 'routine']?: string
  }
  return {
    name,
    message: maskSecrets(message),
    code,
    constraint,
    table,
    routine,
    stack: stack && maskSecrets(stack),
    ...(cause !== undefined && { cause: describeError(cause) }),
  }
}

/** Formats in one line, without a stack. */
const formatProblem = (problem: unknown) => maskSecrets(String((problem as Error | null)?.message ?? problem))
