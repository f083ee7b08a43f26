import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { WISE_PRODUCTION_KEY } from '../../program/payouts/methods/wise/production-key.ts'
import { atPort, ConfigError, findMisspelled, readAll, readConfig } from './config.ts'

function refusal(env: Record<string, string>) {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    assert.equal(error.message.split('\n').length, 1)
    return error.message
  }
  return assert.fail(`taken: ${JSON.stringify(env)}`)
}

test('without variables the documented defaults apply', () => {
  const config = readConfig({}, { cwd: '/srv/tributary' })
  assert.deepEqual(
    { ...config, providers: config.providers.stripe },
    {
      host: '127.0.0.1',
      port: 3000,
      appUrl: 'http://localhost:3000',
      appUrlGiven: false,
      backups: null,
      databaseUrl: null,
      databaseDirectUrl: null,
      databasePooling: 'session',
      databaseReplicaUrl: null,
      dataDir: '/srv/tributary/data',
      secretKey: null,
      firstAdministrator: null,
      supportEmail: null,
      requireSecondFactor: 'off',
      oidc: null,
      smtpUrl: null,
      mailFrom: 'no-reply@localhost',
      processRole: 'all',
      wise: { apiUrl: 'https://api.wise.com', apiVersion: 'classic', webhookKey: null },
      providers: { apiUrl: null, clientId: null, secretKey: null, webhookSecret: null },
      testPayments: null,
      fxRatesUrl: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
      trustProxy: [],
      countryHeader: null,
      allowPrivateWebhookTargets: false,
      tracing: null,
      rateLimitFactor: 1,
      appEnv: 'production',
      logLevel: 'info',
      passwordCost: { memoryKib: 65_536, passes: 3 },
    },
  )
  assert.deepEqual(Object.keys(config.providers), [
    'stripe',
    'paddle',
    'paypal',
    'square',
    'lemon-squeezy',
    'shopify',
    'polar',
    'chargebee',
    'recurly',
  ])
})

test('an empty value counts as none', () => {
  const names = [
    'PORT',
    'APP_URL',
    'SECRET_KEY',
    'ADMIN_EMAIL',
    'ADMIN_PASSWORD',
    'TRUST_PROXY',
    'COUNTRY_HEADER',
    'PROCESS_ROLE',
  ]
  assert.deepEqual(readConfig(Object.fromEntries(names.map((name) => [name, '']))), readConfig({}))
})

test('values are read in their own types', () => {
  const key = randomBytes(32)
  const config = readConfig({
    PORT: '0',
    APP_URL: 'https://Partners.example.com/',
    SECRET_KEY: key.toString('base64'),
    ADMIN_EMAIL: ' Root@Example.com ',
    ADMIN_PASSWORD: ' twelve chars ',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    BACKUP_DIR: '/mnt/backups',
    BACKUP_KEEP: '30',
    COUNTRY_HEADER: ' CF-IPCountry ',
    ALLOW_PRIVATE_WEBHOOK_TARGETS: 'on',
    RATE_LIMIT_FACTOR: '0.5',
    WISE_API_VERSION: '2026Q4',
    WISE_WEBHOOK_KEY: WISE_PRODUCTION_KEY.replaceAll('\n', '\\n'),
    LEMON_SQUEEZY_API_URL: 'http://127.0.0.1:9/v1/',
    STRIPE_CLIENT_ID: 'ca_1',
    STRIPE_SECRET_KEY: 'sk_1',
    PROCESS_ROLE: 'worker',
    DATABASE_URL: 'postgresql://db/tributary',
    DATABASE_DIRECT_URL: 'postgresql://db:5433/tributary',
    DATABASE_POOLING: 'transaction',
    DATABASE_REPLICA_URL: 'postgresql://standby/tributary',
  })
  assert.equal(config.port, 0)
  assert.equal(config.appUrl, 'https://partners.example.com')
  assert.equal(config.mailFrom, 'no-reply@partners.example.com')
  assert.ok(config.secretKey?.equals(key))
  assert.deepEqual(config.firstAdministrator, { email: 'root@example.com', password: ' twelve chars ' })
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1'])
  assert.deepEqual(config.backups, { folder: '/mnt/backups', everyHours: 24, keep: 30 })
  assert.equal(config.countryHeader, 'cf-ipcountry')
  assert.equal(config.allowPrivateWebhookTargets, true)
  assert.equal(config.rateLimitFactor, 0.5)
  assert.equal(config.wise.apiVersion, '2026Q4')
  assert.equal(config.wise.webhookKey?.trim(), WISE_PRODUCTION_KEY.trim())
  assert.equal(config.providers['lemon-squeezy'].apiUrl, 'http://127.0.0.1:9/v1')
  assert.equal(config.providers.stripe.clientId, 'ca_1')
  assert.equal(config.databaseUrl, 'postgresql://db/tributary')
  assert.equal(config.databaseDirectUrl, 'postgresql://db:5433/tributary')
  assert.equal(config.databasePooling, 'transaction')
  assert.equal(config.databaseReplicaUrl, 'postgresql://standby/tributary')
})

test('traces go where OpenTelemetry’s own variables say, all of them unless a sampler is set', () => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318/'
  const tracing = (variables: object) => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, ...variables }).tracing
  assert.deepEqual(tracing({}), { endpoint: 'http://collector:4318', headers: {}, share: 1 })
  assert.deepEqual(tracing({ OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b=, x_tenant = 1' })?.headers, {
    'api-key': 'a b=',
    x_tenant: '1',
  })
  const share = (OTEL_TRACES_SAMPLER: string) =>
    tracing({ OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0.25' })?.share
  assert.deepEqual(['always_on', 'parentbased_always_off', 'parentbased_traceidratio'].map(share), [1, 0, 0.25])
  assert.equal(readConfig({ OTEL_TRACES_SAMPLER: 'always_off' }).tracing, null)
})

test('the address follows the actual port, unless it is set', () => {
  assert.equal(atPort(readConfig({ PORT: '0' }), 4711).appUrl, 'http://localhost:4711')
  assert.equal(atPort(readConfig({ APP_URL: 'https://a.example' }), 4711).appUrl, 'https://a.example')
})

const wrongValues: [name: string, value: string][] = [
  ['PORT', '70000'],
  ['BACKUP_EVERY', '0'],
  ['BACKUP_KEEP', 'all'],
  ['PORT', '-1'],
  ['PORT', '3000x'],
  ['HOST', 'http://localhost'],
  ['APP_URL', 'partners.example.com'],
  ['APP_URL', 'ftp://partners.example.com'],
  ['APP_URL', 'https://partners.example.com/app'],
  ['SUPPORT_EMAIL', 'nobody'],
  ['MAIL_FROM', 'Acme <nobody>'],
  ['PROCESS_ROLE', 'both'],
  ['DATABASE_POOLING', 'statement'],
  ['WISE_API_URL', 'api.wise.com'],
  ['WISE_API_VERSION', '2026Q5'],
  ['STRIPE_API_URL', 'stripe'],
  ['SHOPIFY_API_URL', 'http://host/?a=1'],
  ['FX_RATES_URL', '/etc/rates.xml'],
  ['APP_URL', 'https://acme.example/partners'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['COUNTRY_HEADER', 'cf country:'],
  ['ALLOW_PRIVATE_WEBHOOK_TARGETS', 'http://n8n'],
  ['ALLOW_PRIVATE_WEBHOOK_TARGETS', 'n8n,0.0.0.0/0'],
  ['ALLOW_PRIVATE_WEBHOOK_TARGETS', 'n8n,'],
  ['RATE_LIMIT_FACTOR', '-1'],
  ['RATE_LIMIT_FACTOR', 'Infinity'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ['APP_ENV', 'test'],
  ['LOG_LEVEL', 'loud'],
]
test('an invalid value is refused in one line with its name, the value and what is expected', () => {
  for (const [name, value] of wrongValues) {
    const message = refusal({ [name]: value })
    assert.ok(message.startsWith(`${name} holds ${JSON.stringify(value)}; it should hold `), message)
  }
})

test('all invalid values are named at once, each as if it were the only one', () => {
  const { config, wrong } = readAll({ PORT: 'none', HOST: '0.0.0.0', LOG_LEVEL: 'loud', BACKUP_KEEP: '3', ...ADMIN })
  assert.deepEqual([...wrong.keys()].toSorted(), ['ADMIN_EMAIL', 'BACKUP_DIR', 'LOG_LEVEL', 'PORT'])
  for (const [name, value] of [
    ['PORT', 'none'],
    ['LOG_LEVEL', 'loud'],
    ['ADMIN_EMAIL', 'nobody'],
  ] as const)
    assert.equal(wrong.get(name), refusal({ ...(name === 'ADMIN_EMAIL' && ADMIN), [name]: value }))
  assert.equal(config.host, '0.0.0.0')
})
const ADMIN = { ADMIN_EMAIL: 'nobody', ADMIN_PASSWORD: 'a river of quiet stones' }

const secrets: [name: string, value: string][] = [
  ['SECRET_KEY', 'c2hvcnQ='],
  ['SECRET_KEY', randomBytes(33).toString('base64')],
  ['DATABASE_URL', 'mysql://user:hunter2@host/name'],
  ['DATABASE_DIRECT_URL', 'mysql://user:hunter2@host/name'],
  ['DATABASE_REPLICA_URL', 'mysql://user:hunter2@host/name'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'hunter2'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=hunter2%0a'],
  ['SMTP_URL', 'https://user:hunter2@host'],
  ['SMTP_URL', 'smtp://user:hunter2@host?tls=no'],
  ['WISE_WEBHOOK_KEY', '-----BEGIN PUBLIC KEY-----\nhunter2\n-----END PUBLIC KEY-----'],
  ['STRIPE_SECRET_KEY', 'sk live hunter2'],
]
test('only the length of a secret is shown', () => {
  for (const [name, value] of secrets) {
    const message = refusal({ [name]: value })
    assert.ok(message.startsWith(`${name} holds ${value.length} characters; it should hold `), message)
    assert.ok(!message.includes('hunter2') && !message.includes(value))
  }
})

test('the first administrator’s variables are set all together or not at all', () => {
  assert.match(refusal({ ADMIN_EMAIL: 'root@example.com' }), /^ADMIN_PASSWORD holds nothing; .*12 to 128/)
  assert.match(refusal({ ADMIN_PASSWORD: 'orchid-lantern-93' }), /^ADMIN_EMAIL holds nothing; /)
  assert.match(refusal({ ADMIN_EMAIL: 'root', ADMIN_PASSWORD: 'orchid-lantern-93' }), /^ADMIN_EMAIL holds "root"; /)
  for (const password of ['elevenchars', 'x'.repeat(129)])
    assert.match(
      refusal({ ADMIN_EMAIL: 'root@example.com', ADMIN_PASSWORD: password }),
      new RegExp(`^ADMIN_PASSWORD holds ${password.length} characters; `),
    )
  for (const password of ['password1234', 'rosalind.pike1', 'aaaaaaaaaaaaaa'])
    assert.equal(
      refusal({ ADMIN_EMAIL: 'rosalind.pike@example.com', ADMIN_PASSWORD: password }),
      'ADMIN_PASSWORD holds a common password; it should hold a password of 12 to 128 characters that is hard to guess.',
    )
})

test('an incomplete pair, and a variable that nothing would use, are refused by name', () => {
  for (const [given, other] of [
    ['STRIPE_CLIENT_ID', 'STRIPE_SECRET_KEY'],
    ['STRIPE_SECRET_KEY', 'STRIPE_CLIENT_ID'],
    ['SQUARE_CLIENT_ID', 'SQUARE_SECRET_KEY'],
    ['BACKUP_EVERY', 'BACKUP_DIR'],
    ['BACKUP_KEEP', 'BACKUP_DIR'],
  ] as const)
    assert.match(
      refusal({ [given]: '12' }),
      new RegExp(`^${other} holds nothing; it should hold .*, because ${given} is given`),
    )
  for (const provider of ['PADDLE', 'PAYPAL', 'LEMON_SQUEEZY', 'SHOPIFY', 'POLAR'])
    for (const name of ['CLIENT_ID', 'SECRET_KEY', 'WEBHOOK_SECRET'])
      assert.match(
        refusal({ [`${provider}_${name}`]: 'abc' }),
        new RegExp(`^${provider}_${name} holds .*should hold nothing: only`),
      )
})

test('a variable that resembles an unset one is reported, and no other', () => {
  const slips = { STMP_URL: 'SMTP_URL', DATABASE_URI: 'DATABASE_URL', DATADIR: 'DATA_DIR', BACKUP_DIRR: 'BACKUP_DIR' }
  const given = Object.fromEntries(Object.keys(slips).map((name) => [name, 'x']))
  assert.deepEqual(
    findMisspelled(given),
    Object.entries(slips).map(([given, meant]) => ({ given, meant })),
  )
  const strangers = {
    PATH: '/bin',
    HOSTS: 'a',
    PORTS: '1',
    SMTP_HOST: 'a',
    STMP_URL: ' ',
    API_URL: 'x',
    APP_URL: 'https://a.example',
  }
  assert.deepEqual(findMisspelled(strangers), [])
  assert.deepEqual(findMisspelled({ SMTP_URL: 'smtp://a', ADMIN_EMAIL: 'a@b', OTEL_TRACES_SAMPLER_ARG: '1' }), [])
})

test('a process that does half of the work needs a database both can reach', () => {
  for (const role of ['web', 'worker'])
    assert.match(refusal({ PROCESS_ROLE: role }), /^DATABASE_URL holds nothing; .*PROCESS_ROLE/)
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL'])
    assert.match(refusal({ [name]: 'postgres://db/tributary' }), new RegExp(`^DATABASE_URL holds nothing; .*${name}`))
})

test('a pooler in transaction mode also needs the address without it', () => {
  const pooled = { DATABASE_URL: 'postgres://db/tributary', DATABASE_POOLING: 'transaction' }
  assert.match(refusal(pooled), /^DATABASE_DIRECT_URL holds nothing; .*DATABASE_POOLING holds "transaction"/)
})

test('a country header is trusted only from a proxy, which must be configured', () => {
  assert.match(refusal({ COUNTRY_HEADER: 'CF-IPCountry' }), /^TRUST_PROXY holds nothing; .*COUNTRY_HEADER/)
})

test('private targets are hosts and networks, or a switch', () => {
  const read = (value: string) => readConfig({ ALLOW_PRIVATE_WEBHOOK_TARGETS: value }).allowPrivateWebhookTargets
  assert.deepEqual(read('N8N, 10.0.0.0/8,fd00::/8, crm.internal'), ['n8n', '10.0.0.0/8', 'fd00::/8', 'crm.internal'])
  assert.deepEqual([read('1'), read('on'), read('off'), read('')], [true, true, false, false])
})
