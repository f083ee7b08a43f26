import { createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { NewPassword } from '#contract/auth.ts'
import { isDatabaseAddress } from './database-address.ts'
import { StartRefusal } from './start-refusal.ts'
import { isCommonPassword } from './weak-passwords.ts'

type Environment = Record<string, string | undefined>

/** A variable with an invalid value. */
export class ConfigError extends StartRefusal {}

const platforms = {
  stripe: 'STRIPE',
  paddle: 'PADDLE',
  paypal: 'PAYPAL',
  square: 'SQUARE',
  'lemon-squeezy': 'LEMON_SQUEEZY',
  shopify: 'SHOPIFY',
  polar: 'POLAR',
  chargebee: 'CHARGEBEE',
  recurly: 'RECURLY',
} as const
export type PlatformName = keyof typeof platforms

/** The operator's settings of one payment provider. */
type Platform = {
  /** Base address without a trailing slash; null for the provider's own. */
  apiUrl: string | null
  clientId: string | null
  secretKey: string | null
  webhookSecret: string | null
}

/** The operator's settings, validated. Addresses have no trailing slash. */
export type Config = Readonly<{
  host: string
  /** 0 uses any free port; `atPort` sets the actual one. */
  port: number
  /** The public address. */
  appUrl: string
  /** Whether APP_URL was given, rather than derived from the port. */
  appUrlGiven: boolean
  /** null for the embedded database. */
  databaseUrl: string | null
  /** PostgreSQL's own address, without a pooler; null if it is the same. */
  databaseDirectUrl: string | null
  /** How DATABASE_URL and DATABASE_REPLICA_URL assign connections; `session` for PostgreSQL itself. */
  databasePooling: 'session' | 'transaction'
  /** A streaming replica of it, for lists and statistics; null without one. */
  databaseReplicaUrl: string | null
  /** An absolute path. */
  dataDir: string
  /** 32 bytes; null for the key stored in `dataDir`. */
  secretKey: Buffer | null
  /** Scheduled backups: the folder, the hours between them, and the number kept; null for none. */
  backups: Readonly<{ folder: string; everyHours: number; keep: number }> | null
  firstAdministrator: Readonly<{ email: string; password: string }> | null
  supportEmail: string | null
  /** The roles whose sessions need a second factor; accounts may require it of more. */
  requireSecondFactor: 'off' | 'admins' | 'team' | 'everyone'
  /** Single sign-on: for whose e-mail domains the issuer speaks, and whether it is their only way in; null for none. */
  oidc: Readonly<{
    issuer: string
    clientId: string
    clientSecret: string | null
    domains: readonly string[]
    name: string
    only: boolean
  }> | null
  smtpUrl: string | null
  mailFrom: string
  processRole: 'all' | 'web' | 'worker'
  /**
   * `apiVersion` is `classic` or a quarter such as `2026Q4`; `webhookKey` is a PEM; null for the one Wise publishes.
   */
  wise: Readonly<{ apiUrl: string; apiVersion: string; webhookKey: string | null }>
  providers: Readonly<Record<PlatformName, Readonly<Platform>>>
  /** Treatment of sales paid in a provider's test mode; null depends on the provider's address. */
  testPayments: 'show' | 'count' | null
  fxRatesUrl: string
  /** Addresses and networks of trusted proxies. */
  trustProxy: readonly string[]
  /** In lower case: the header with the visitor's country from a trusted proxy. */
  countryHeader: string | null
  /** The hosts and networks that users' addresses may lead to although they are private; true for all of them. */
  allowPrivateWebhookTargets: boolean | readonly string[]
  /** Export of traces: the address, its headers, and the share of traces, from none (0) to all (1); null for none. */
  tracing: Readonly<{ endpoint: string; headers: Readonly<Record<string, string>>; share: number }> | null
  /** 0 disables all limits. */
  rateLimitFactor: number
  appEnv: 'local' | 'staging' | 'production'
  logLevel: LogLevel
  /** Cost of Argon2id per password. Not configurable: only tests, which set hundreds, use a lower one. */
  passwordCost: Readonly<{ memoryKib: number; passes: number }>
}>

const testPayments = ['show', 'count'] as const

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * Reads the settings from the environment; a relative DATA_DIR is resolved against `cwd`. An empty value counts as
 * missing.
 * Throws `ConfigError` at the first variable that is invalid or missing.
 */
export function readConfig(env: Environment, options: { cwd?: string } = {}): Config {
  const reading = reader(env)
  const { one, secret, list, choice } = reading

  const port = one('PORT', 'a whole number from 0 to 65535', (text) => inRange(text, 0, 65_535)) ?? 3000
  const appUrl = one('APP_URL', 'an address such as https://partners.example.com, without a path', origin)
  const database = (name: string) =>
    secret(name, 'a PostgreSQL address such as postgres://user:password@host/name', (text) =>
      isDatabaseAddress(text) ? text : undefined,
    )
  const databaseUrl = database('DATABASE_URL')
  const databaseDirectUrl = database('DATABASE_DIRECT_URL')
  const databaseReplicaUrl = database('DATABASE_REPLICA_URL')
  const dependent = databaseDirectUrl ? 'DATABASE_DIRECT_URL' : databaseReplicaUrl && 'DATABASE_REPLICA_URL'
  if (dependent && !databaseUrl)
    throw configError('DATABASE_URL', 'nothing', `a PostgreSQL address, because ${dependent} holds one`)
  const databasePooling = choice('DATABASE_POOLING', ['session', 'transaction'], 'session')
  if (databasePooling === 'transaction' && !databaseDirectUrl)
    throw configError(
      'DATABASE_DIRECT_URL',
      'nothing',
      'the address of PostgreSQL itself, because DATABASE_POOLING holds "transaction"',
    )
  const processRole = choice('PROCESS_ROLE', ['all', 'web', 'worker'], 'all')
  if (processRole !== 'all' && !databaseUrl)
    throw configError('DATABASE_URL', 'nothing', `a PostgreSQL address, because PROCESS_ROLE holds "${processRole}"`)

  const networks = 'IP addresses or networks such as 10.0.0.0/8, separated by commas'
  const trustProxy = list('TRUST_PROXY', networks, isNetwork)
  const countryHeader = one('COUNTRY_HEADER', 'the name of a header such as CF-IPCountry', headerName)
  if (countryHeader && trustProxy.length === 0)
    throw configError('TRUST_PROXY', 'nothing', `${networks}, because COUNTRY_HEADER holds "${countryHeader}"`)

  return Object.freeze({
    host:
      one('HOST', 'an address or host name to listen on', (text) => (isHost(text) ? text : undefined)) ?? '127.0.0.1',
    port,
    appUrl: appUrl ?? localAddress(port),
    appUrlGiven: appUrl !== null,
    databaseUrl,
    databaseDirectUrl,
    databasePooling,
    databaseReplicaUrl,
    dataDir: resolve(options.cwd ?? process.cwd(), one('DATA_DIR', 'the path of a folder', (text) => text) ?? 'data'),
    secretKey: secret('SECRET_KEY', SECRET_KEY_SHAPE, parseSecretKey),
    backups: backups(one, options.cwd),
    firstAdministrator: firstAdministrator(env),
    supportEmail: one('SUPPORT_EMAIL', 'an e-mail address', email),
    requireSecondFactor: choice('REQUIRE_SECOND_FACTOR', ['off', 'admins', 'team', 'everyone'], 'off'),
    oidc: singleSignOn(reading),
    smtpUrl: secret('SMTP_URL', 'an address such as smtp://user:password@host:587, perhaps with ?tls=off', (text) => {
      const address = url(text)
      const tls = address?.searchParams.get('tls') ?? 'off'
      return address?.hostname && /^smtps?:$/.test(address.protocol) && tls === 'off' ? text : undefined
    }),
    mailFrom:
      one('MAIL_FROM', 'an e-mail address, or a name and one such as Acme <team@acme.example>', sender) ??
      defaultSender(appUrl ?? localAddress(port)),
    processRole,
    wise: {
      apiUrl: one('WISE_API_URL', BASE_ADDRESS, baseAddress) ?? 'https://api.wise.com',
      apiVersion:
        one('WISE_API_VERSION', 'classic or a quarter such as 2026Q4', (text) =>
          /^(classic|20\d\dQ[1-4])$/.test(text) ? text : undefined,
        ) ?? 'classic',
      webhookKey: secret('WISE_WEBHOOK_KEY', 'a public RSA key as PEM', publicKey),
    },
    providers: Object.fromEntries(
      Object.entries(platforms).map(([name, prefix]) => [
        name,
        { apiUrl: one(`${prefix}_API_URL`, BASE_ADDRESS, baseAddress), ...application(reading, prefix) },
      ]),
    ) as Record<PlatformName, Platform>,
    testPayments: one('TEST_PAYMENTS', 'show or count', (text) => testPayments.find((value) => value === text)),
    fxRatesUrl:
      one('FX_RATES_URL', 'the http or https address of a file', (text) => (isHttp(url(text)) ? text : undefined)) ??
      'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
    trustProxy,
    countryHeader,
    allowPrivateWebhookTargets: one('ALLOW_PRIVATE_WEBHOOK_TARGETS', PRIVATE_TARGETS, privateTargets) ?? false,
    tracing: tracing(reading),
    rateLimitFactor: one('RATE_LIMIT_FACTOR', 'a number of 0 or more', decimal) ?? 1,
    appEnv: choice('APP_ENV', ['local', 'staging', 'production'], 'production'),
    logLevel: choice('LOG_LEVEL', logLevels, 'info'),
    passwordCost: { memoryKib: 65_536, passes: 3 },
  })
}

/**
 * Returns all faults of the settings, in the start's own words by variable, and the settings without those variables.
 */
export function readAll(given: Environment): { config: Config; wrong: Map<string, string> } {
  const env = { ...given }
  const wrong = new Map<string, string>()
  for (;;) {
    try {
      return { config: readConfig(env), wrong }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const [name = ''] = error.message.split(' ')
      if (!wrong.has(name)) wrong.set(name, error.message)
      // if one is missing, another requires it
      const asking = /, because (\w+) /.exec(error.message)?.[1] ?? name
      if (!(asking in env)) throw error
      delete env[asking]
    }
  }
}

/** Returns unknown names with the likely intended one: a variable of ours that is not set and differs by a typo. */
export function findMisspelled(env: Environment): { given: string; meant: string }[] {
  const names = new Set<string>()
  // every name read is one of ours
  readConfig(new Proxy<Environment>({}, { get: (_, name) => void names.add(String(name)) }))
  return Object.keys(env).flatMap((given) => {
    if (names.has(given) || !env[given]?.trim()) return []
    const meant = [...names].find((name) => !env[name]?.trim() && isSlip(given, name))
    return meant ? [{ given, meant }] : []
  })
}

/** Shortest name compared, since short names resemble many words. */
const SHORTEST = 7

/** Whether one character was added, removed or replaced, or two were swapped. */
function isSlip(given: string, name: string) {
  if (name.length < SHORTEST || Math.abs(given.length - name.length) > 1) return false
  const from = [...name].findIndex((letter, index) => letter !== given[index])
  const at = from < 0 ? name.length : from
  const [rest, of] = [given.slice(at), name.slice(at)]
  return (
    rest.slice(1) === of.slice(1) ||
    rest.slice(1) === of ||
    rest === of.slice(1) ||
    (rest[0] === of[1] && rest[1] === of[0] && rest.slice(2) === of.slice(2))
  )
}

/** Returns the settings of a server listening on `port`, including values derived from it. */
export function atPort(config: Config, port: number): Config {
  if (config.appUrlGiven) return { ...config, port }
  return { ...config, port, appUrl: localAddress(port) }
}

/** OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_DOMAINS go together. Plain http is for an issuer on this machine. */
function singleSignOn({ one, secret, list, flag }: ReturnType<typeof reader>): Config['oidc'] {
  const issuer = one('OIDC_ISSUER', 'the https address of an issuer', (text) => {
    const address = url(text)
    const local = ['localhost', '127.0.0.1', '[::1]'].includes(address?.hostname ?? '')
    return address && (address.protocol === 'https:' || (address.protocol === 'http:' && local)) ? text : undefined
  })
  const clientId = one('OIDC_CLIENT_ID', 'the id of this server at the issuer', (text) => text)
  const clientSecret = secret('OIDC_CLIENT_SECRET', 'the secret of this server at the issuer', (text) => text)
  const domains = list('OIDC_DOMAINS', DOMAINS, (text) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(text))
  const name = one('OIDC_NAME', 'at most 40 characters', (text) => (text.length <= 40 ? text : undefined))
  const only = flag('OIDC_ONLY')
  const given = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_DOMAINS: domains.length > 0 ? domains : null }
  const present = Object.keys(given).find((key) => given[key as keyof typeof given])
  const because = present ?? (only ? 'OIDC_ONLY' : clientSecret && 'OIDC_CLIENT_SECRET')
  const missing = Object.keys(given).find((key) => !given[key as keyof typeof given])
  if (because && missing)
    throw configError(missing, 'nothing', `${SHAPES[missing as keyof typeof SHAPES]}, because ${because} holds a value`)
  if (!issuer || !clientId) return null
  return {
    issuer,
    clientId,
    clientSecret,
    only,
    domains: domains.map((domain) => domain.toLowerCase()),
    name: name ?? 'single sign-on',
  }
}

const DOMAINS = 'e-mail domains such as acme.com, separated by commas'
const SHAPES = {
  OIDC_ISSUER: 'the https address of an issuer',
  OIDC_CLIENT_ID: 'the id of this server at the issuer',
  OIDC_DOMAINS: DOMAINS,
}

const headerName = (text: string) => (/^[A-Za-z0-9-]{1,100}$/.test(text) ? text.toLowerCase() : undefined)

export const SECRET_KEY_SHAPE = '32 bytes in base64 (openssl rand -base64 32)'

/** Decodes 32 bytes in base64, or returns undefined. */
export function parseSecretKey(text: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return undefined
  const key = Buffer.from(text, 'base64')
  return key.length === 32 ? key : undefined
}

const BASE_ADDRESS = 'an http or https address without query'
const localAddress = (port: number) => `http://localhost:${port}`
const defaultSender = (appUrl: string) => `no-reply@${new URL(appUrl).hostname}`

/** Returns the refusal of a variable; `holds` must not reveal a secret. */
export const configError = (name: string, holds: string, shape: string) =>
  new ConfigError(`${name} holds ${holds}; it should hold ${shape}.`)

function reader(env: Environment) {
  const read = <T>(
    name: string,
    shape: string,
    parse: (text: string) => T | undefined,
    show: (text: string) => string,
  ) => {
    const text = env[name]?.trim()
    if (!text) return null
    const value = parse(text)
    if (value === undefined) throw configError(name, show(text), shape)
    return value
  }
  const one = <T>(name: string, shape: string, parse: (text: string) => T | undefined) =>
    read(name, shape, parse, quote)
  const secret = <T>(name: string, shape: string, parse: (text: string) => T | undefined) =>
    read(name, shape, parse, length)
  return {
    one,
    secret,
    list(name: string, shape: string, valid: (item: string) => boolean): readonly string[] {
      const items = one(name, shape, (text) => {
        if (switches.get(text.toLowerCase()) === false) return []
        const items = text.split(',').map((item) => item.trim())
        return items.every(valid) ? items : undefined
      })
      return items ?? []
    },
    flag: (name: string): boolean =>
      one(name, '1, on, true, 0, off or false', (text) => switches.get(text.toLowerCase())) ?? false,
    choice<const T extends string>(name: string, values: readonly T[], otherwise: T): T {
      const shape = `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
      return one(name, shape, (text) => values.find((value) => value === text)) ?? otherwise
    },
  }
}

const switches = new Map([
  ['1', true],
  ['on', true],
  ['true', true],
  ['0', false],
  ['off', false],
  ['false', false],
])

/** Quotes on one line, cut, and without an address's password. */
const quote = (text: string) => JSON.stringify(text.replace(/\/\/[^/@]*@/, '//…@').slice(0, 120))
const length = (text: string) => `${[...text].length} characters`

const WITH_CONSENT: readonly string[] = [platforms.stripe, platforms.square]

/** Reads the operator's application at a provider with a consent page; refuses an incomplete or unused one. */
function application({ one, secret }: ReturnType<typeof reader>, prefix: string): Omit<Platform, 'apiUrl'> {
  const [id, key] = [`${prefix}_CLIENT_ID`, `${prefix}_SECRET_KEY`]
  const shape =
    'nothing: only Stripe and Square are connected by a consent page, the others by a key that each owner enters'
  const used = (text: string) => (WITH_CONSENT.includes(prefix) ? word(text) : undefined)
  const [idShape, keyShape, secretShape] = WITH_CONSENT.includes(prefix)
    ? ['a client id without spaces', 'a key without spaces', 'a secret without spaces']
    : [shape, shape, shape]
  const clientId = one(id, idShape, used)
  const secretKey = secret(key, keyShape, used)
  if (clientId && !secretKey) throw configError(key, 'nothing', `${keyShape}, because ${id} is given`)
  if (secretKey && !clientId) throw configError(id, 'nothing', `${idShape}, because ${key} is given`)
  return { clientId, secretKey, webhookSecret: secret(`${prefix}_WEBHOOK_SECRET`, secretShape, used) }
}

function firstAdministrator(env: Environment): Config['firstAdministrator'] {
  const address = env.ADMIN_EMAIL?.trim() ?? ''
  const password = env.ADMIN_PASSWORD ?? ''
  if (!address && !password) return null
  const shape = 'a password of 12 to 128 characters'
  if (!address) throw configError('ADMIN_EMAIL', 'nothing', 'an e-mail address, because ADMIN_PASSWORD is given')
  const known = email(address)
  if (!known) throw configError('ADMIN_EMAIL', quote(address), 'an e-mail address')
  if (!password) throw configError('ADMIN_PASSWORD', 'nothing', `${shape}, because ADMIN_EMAIL is given`)
  if (!NewPassword.safeParse(password).success) throw configError('ADMIN_PASSWORD', length(password), shape)
  if (isCommonPassword(password, [known]))
    throw configError('ADMIN_PASSWORD', 'a common password', `${shape} that is hard to guess`)
  return { email: known, password }
}

function backups(one: ReturnType<typeof reader>['one'], cwd = process.cwd()): Config['backups'] {
  const folder = one('BACKUP_DIR', 'the path of a folder', (text) => text)
  const everyHours = one('BACKUP_EVERY', 'a whole number of hours from 1 to 8760', (text) => inRange(text, 1, 8760))
  const keep = one('BACKUP_KEEP', 'a whole number from 1 to 10000', (text) => inRange(text, 1, 10_000))
  const dependent = everyHours !== null ? 'BACKUP_EVERY' : keep !== null ? 'BACKUP_KEEP' : null
  if (folder === null && dependent)
    throw configError('BACKUP_DIR', 'nothing', `the path of a folder, because ${dependent} is given`)
  return folder === null ? null : { folder: resolve(cwd, folder), everyHours: everyHours ?? 24, keep: keep ?? 7 }
}

/** Reads OpenTelemetry's own variables; with only the collector set, every request and job is traced. */
function tracing({ one, secret, choice }: ReturnType<typeof reader>): Config['tracing'] {
  const endpoint = one('OTEL_EXPORTER_OTLP_ENDPOINT', BASE_ADDRESS, baseAddress)
  const headers = secret('OTEL_EXPORTER_OTLP_HEADERS', 'names and values such as api-key=abc,tenant=1', headerValues)
  const sampler = choice('OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on')
  const part = one('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1', (text) => {
    const number = decimal(text)
    return number !== undefined && number <= 1 ? number : undefined
  })
  if (endpoint === null) return null
  const share = sampler.endsWith('off') ? 0 : sampler.endsWith('ratio') ? (part ?? 1) : 1
  return { endpoint, headers: headers ?? {}, share }
}

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Parses OpenTelemetry's format: the values may be percent-encoded. */
function headerValues(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*(\S.*?)\s*$/.exec(pair)?.slice(1))
  try {
    const headers = pairs.map((pair) => [pair![0]!, decodeURIComponent(pair![1]!)] as const)
    return headers.every(([, value]) => /^[\x20-\x7e]+$/.test(value)) ? Object.fromEntries(headers) : undefined
  } catch {
    return undefined
  }
}

function inRange(text: string, from: number, to: number) {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  return number >= from && number <= to ? number : undefined
}

const decimal = (text: string) => (/^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : undefined)
const word = (text: string) => (/^\S+$/.test(text) ? text : undefined)
const url = (text: string) => URL.parse(text) ?? undefined
const isHttp = (address: URL | undefined) => /^https?:$/.test(address?.protocol ?? '')

function baseAddress(text: string) {
  const address = url(text)
  if (!address || !isHttp(address) || address.search || address.hash) return undefined
  return address.href.replace(/(?<!\/)\/+$/, '')
}

function origin(text: string) {
  const address = url(text)
  if (!address || !isHttp(address) || address.href !== `${address.origin}/`) return undefined
  return address.origin
}

const EMAIL = /^[^\s@<>",;:()[\]\\]+@[a-z0-9-]+(\.[a-z0-9-]+)*$/
function email(text: string) {
  const address = text.toLowerCase()
  return address.length <= 254 && EMAIL.test(address) ? address : undefined
}

function sender(text: string) {
  const address = /^[^<>\r\n]+<([^<>]+)>$/.exec(text)?.[1] ?? text
  return email(address.trim()) && !/[\r\n]/.test(text) ? text : undefined
}

const PRIVATE_TARGETS = 'hosts and networks such as n8n,10.0.0.0/8, or on for development'
function privateTargets(text: string): boolean | readonly string[] | undefined {
  const targets = text
    .toLowerCase()
    .split(',')
    .map((target) => target.trim())
  return (
    switches.get(text.toLowerCase()) ?? (targets.every((one) => isHost(one) || isNetwork(one)) ? targets : undefined)
  )
}

const isHost = (text: string) => isIP(text) > 0 || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text)

function isNetwork(text: string) {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (!family || more.length) return false
  // a prefix of zero bits covers all addresses and is no network
  return bits === undefined || inRange(bits, 1, family === 4 ? 32 : 128) !== undefined
}

/** Parses a PEM, whose line breaks may be written as \n, as many hosting services require. */
function publicKey(text: string) {
  const pem = text.replaceAll('\\n', '\n')
  try {
    return pem.includes('PUBLIC KEY') && createPublicKey(pem).asymmetricKeyType === 'rsa' ? pem : undefined
  } catch {
    return undefined
  }
}
