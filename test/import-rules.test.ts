import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { endpoints } from '#contract/index.ts'

// docs/architecture.md describes the rules checked here. Tests may import anything.

const root = fileURLToPath(new URL('../', import.meta.url))
const TIERS = ['platform', 'program', 'integrations', 'features']

/**
 * Allowed imports between the modules of money: data moves from clicks to payouts, and its earnings are booked on the
 * way.
 */
const MONEY: Record<string, string[]> = {
  clicks: [],
  leads: ['clicks', 'commissions'],
  commissions: [],
  sales: ['clicks', 'leads', 'commissions'],
  payouts: ['clicks', 'leads', 'sales', 'commissions'],
}

/**
 * The type of the services passed to every module: it names parts of the platform and runs nothing, so it closes no
 * circle.
 */
const SERVICES = 'server/platform/services.ts'

/** Modules of the web application, each with the others it may import. The files at its root serve all of them. */
const WEB: Record<string, string[]> = {
  ui: [],
  lists: ['ui'],
  shared: ['ui', 'lists'],
  shell: ['ui', 'lists', 'shared'],
  features: ['ui', 'lists', 'shared', 'shell'],
  routes: ['ui', 'lists', 'shared', 'shell', 'features'],
}

/** Modules of the contract's files that are not named by their module, and of the groups of calls with a name of 1.0. */
const MODULE_OF: Record<string, string> = {
  balances: 'payouts',
  books: 'accounting',
  cases: 'fraud-cases',
  joining: 'applications',
  material: 'assets',
  people: 'privacy',
  members: 'auth',
  'payout-form': 'payouts',
  'payout-reconciliation': 'payouts',
  'payout-settings': 'payouts',
  'second-factor': 'auth',
}

/** The folder of the payout methods and their common shape, and the file that lists them. */
const METHODS = 'server/program/payouts/methods/'
const METHOD_LIST = 'server/program/payouts/methods/registry.ts'

/** The writer of XML: a pure function of any file. */
const XML = 'server/platform/xml/write-xml.ts'

/** Files outside its folder that may name Wise, and why. */
const MAY_NAME_WISE: Record<string, string> = {
  [METHOD_LIST]: 'its line',
  'server/program/payouts/connections.ts': 'its tables and settings',
  'server/program/payouts/payees.ts': 'its tables',
  'server/program/payouts/payouts-in-files.ts': 'the table of files of the release before',
  'server/program/payment-files/files.ts': 'the table of files of the release before',
  'server/program/payouts/routes.ts': 'listWiseProfiles, a call of the contract',
  'server/platform/config/config.ts': 'its settings, WISE_…',
  'server/platform/http/openapi.ts': 'how a token is sent to /wise/profiles',
  'server/platform/http/logger.ts': 'that token is logged nowhere',
  'server/program/payouts/tables.ts': 'its tables',
  'server/reencrypt-secrets.ts': 'its token is sealed',
  'server/program/payouts/payouts.ts': 'wiseTransferId, a field of the contract',
}

/** Functions that may receive every service without using one themselves, and why. */
const MAY_HAND_ON: Record<string, string> = {
  'server/program/sales/euro-rates.ts: readEuroRates': 'the worker runs it',
}

type Import = { file: string; line: number; to: string }

const sources = (folder: string) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx)$/.test(name) && !/\.(test|spec)\.tsx?$|\bsweep\.ts$/.test(name))
    .map((name) => posix.join(folder, name))

/** Returns every import of the file, a dynamic one included; our files by path from the root, packages by name. */
function importsOf(file: string): Import[] {
  const lines = readFileSync(`${root}${file}`, 'utf8').split('\n')
  return lines.flatMap((text, index) =>
    [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([.#@\w][^'"]*)['"]/g)].map(([, given]) => {
      const to = given!.startsWith('.') ? posix.join(dirname(file), given!) : given!.replace(/^#/, '')
      return { file, line: index + 1, to }
    }),
  )
}

/**
 * Returns the position of a server file: its tier, 3 above all of them, and its module; a file beside the modules is its
 * own.
 */
function placeOf(path: string) {
  const [, feature, part, ...inFeature] = path.split('/')
  if (path.startsWith('features/'))
    return {
      level: TIERS.indexOf('features'),
      module: feature ?? '',
      inside: part === 'server' ? inFeature.join('/') : '',
    }
  const [, tier = '', ...rest] = path.split('/')
  const level = TIERS.indexOf(tier)
  return { level: level < 0 ? TIERS.length : level, module: rest[0] ?? '', inside: rest.slice(1).join('/') }
}

/** Returns the payout method of a file in its folder. */
const methodOf = (path: string) =>
  path.startsWith(METHODS) ? /^([^/]+)\//.exec(path.slice(METHODS.length))?.[1] : undefined

const featureOf = (path: string) => /^(?:web\/features|features)\/([^/]+)\//.exec(path)?.[1]

/** The lists of features, which those read who put them together. */
const LIST = /^features\/index\.(contract|emails|examples|queues|routes|server|tables|tabs|text|web|work)\.ts$/

/** The part of the product that a file is in; of a feature's file, by its folder there. */
function partOf(path: string) {
  const [top, , part, file] = path.split('/')
  if (top !== 'features' || LIST.test(path)) return top
  if (part === 'web' || /^(\w+-)?text\.ts$/.test(part ?? '')) return 'web'
  return part === 'server' || part === 'mail' ? 'server' : file ? part : 'contract'
}

/** Returns the rule that an import breaks, if any. */
function broken({ file, to }: Import): string | undefined {
  const [top, toTop] = [partOf(file), partOf(to)]
  if (LIST.test(to) || LIST.test(file)) return undefined
  const isOurs = ['contract', 'server', 'web', 'embed', 'test', 'demo', 'bench', 'features'].includes(toTop!)
  if (top === 'contract')
    return to === 'zod' || to === 'ibantools' || toTop === 'contract'
      ? undefined
      : 'the contract imports zod, the check of IBANs and itself'
  if (top === 'client') return to.startsWith('client/src/') ? undefined : 'the client imports nothing but itself'
  if (top === 'embed')
    return isOurs && toTop !== 'contract' && toTop !== 'embed' ? 'embed imports the contract' : undefined
  if (top === 'web') {
    if (isOurs && toTop !== 'web' && toTop !== 'contract') return 'the web application imports the contract alone'
    const [own, other] = [featureOf(file), featureOf(to)]
    if (own && other && own !== other && toTop === 'web') return 'a feature of the web application imports no other'
    // a feature declares its screens by it
    if (to === 'web/routes/screen-of.tsx' && file.startsWith('features/')) return undefined
    const [, from = ''] = file.replace(/^features\/.*/, 'web/features').split('/')
    const [, into = ''] = toTop === 'web' ? to.replace(/^features\/.*/, 'web/features').split('/') : []
    if (from in WEB && into in WEB && from !== into && !WEB[from]!.includes(into))
      return `web/${from} may import ${WEB[from]!.join(', ') || 'no other module'} of ${Object.keys(WEB).join(', ')}`
    return from === 'ui' && CALLS.has(to) ? 'web/ui knows no call of the contract' : undefined
  }
  // a feature declares itself by it
  if (to === 'server/feature.ts') return undefined
  // the command that starts the demo may import it
  if (file === 'server/commands/demo.ts' && to === 'demo/run.ts') return undefined
  if (toTop !== 'server')
    return isOurs && toTop !== 'contract' && toTop !== 'embed' ? 'the server imports contract and embed' : undefined
  const [ownMethod, otherMethod] = [methodOf(file), methodOf(to)]
  if (otherMethod && otherMethod !== ownMethod && file !== METHOD_LIST)
    return 'the folder of a payout method is imported by itself and the list of methods'
  const [from, into] = [placeOf(file), placeOf(to)]
  if (into.level > from.level) return `${TIERS[from.level]} stands below what it imports`
  if (from.level === TIERS.length || from.module === into.module) return undefined
  if (into.inside === 'queries.ts') return 'a module calls the functions of another, never its queries'
  if (from.module in MONEY && into.module in MONEY && !MONEY[from.module]!.includes(into.module))
    return `${from.module} may import ${MONEY[from.module]!.join(', ') || 'none'} of ${Object.keys(MONEY).join(', ')}`
  if (from.module === 'stats' && from.level === into.level && !['access', 'terms', 'accounting'].includes(into.module))
    return 'stats reads the tables itself and imports no module but access, terms and accounting'
  return undefined
}

const describeImport = ({ file, line, to }: Import, rule: string) => `${file}:${line} imports ${to}: ${rule}`

/** The module of a file on a tier; the files above the tiers and the type of the services are in none. */
const roomOf = (path: string) => {
  const { level, module } = placeOf(path)
  return path === SERVICES ||
    level === TIERS.length ||
    LIST.test(path) ||
    !/^(server|features)\//.test(path) ||
    partOf(path) !== 'server'
    ? undefined
    : `${TIERS[level]}/${module}`
}

/** Imports that close a circle of modules or files: for each circle, those of its thinnest connection. */
function circles(imports: Import[], nodeOf: (path: string) => string | undefined): string[] {
  const between = new Map<string, Map<string, Import[]>>()
  for (const one of imports) {
    const [a, b] = [nodeOf(one.file), nodeOf(one.to)]
    if (!a || !b || a === b) continue
    const out = between.get(a) ?? new Map<string, Import[]>()
    between.set(a, out.set(b, [...(out.get(b) ?? []), one]))
  }
  const reachable = (from: string) => {
    const seen = new Set<string>()
    for (const open = [from]; open.length > 0; )
      for (const next of between.get(open.pop()!)?.keys() ?? []) if (!seen.has(next)) seen.add(next) && open.push(next)
    return seen
  }
  const closing = [...between].flatMap(([a, out]) => {
    const onTheWay = [...out].filter(([b]) => reachable(b).has(a))
    return onTheWay.map(([b, lines]) => ({ a, b, lines }))
  })
  const least = Math.min(...closing.map(({ lines }) => lines.length))
  return closing
    .filter(({ lines }) => lines.length === least)
    .flatMap(({ b, lines }) => lines.map((one) => describeImport(one, `${b} imports it too, if by others`)))
}

const inFeatures = sources('features')

/** Files of the contract that declare calls; the others are its vocabulary: money, values, fields. */
const CALLS = new Set(
  [...sources('contract'), ...inFeatures.filter((file) => partOf(file) === 'contract')].filter((file) =>
    /^export const \w+ = (endpoint|csvOf)\(/m.test(readFileSync(`${root}${file}`, 'utf8')),
  ),
)

const serverImports = [...sources('server'), ...inFeatures.filter((file) => partOf(file) === 'server')].flatMap(
  importsOf,
)

const all = [
  ...serverImports,
  ...inFeatures.filter((file) => partOf(file) !== 'server').flatMap(importsOf),
  ...['contract', 'web', 'embed', 'client/src'].flatMap(sources).flatMap(importsOf),
]

test('imports go one way: tiers, modules, the contract, the web application and the embed script', () => {
  assert.ok(all.length > 2500, `only ${all.length} imports were found`)
  const offending = all.flatMap((one) => {
    const rule = broken(one)
    return rule ? [describeImport(one, rule)] : []
  })
  assert.deepEqual(offending, [])
})

test('no modules of a tier import each other in a circle', () => {
  assert.deepEqual(circles(serverImports, roomOf), [])
})

test('no files import each other in a circle, types included', () => {
  // the client's calls are generated
  const fileOf = (path: string) => (path.startsWith('client/') ? undefined : path)
  assert.deepEqual(circles(all, fileOf), [])
})

test('a payout method imports only the contract, the method interface and its own folder', () => {
  const shape = `${METHODS}method.ts`
  const inMethods = serverImports.filter(({ file }) => file.startsWith(METHODS) && file !== METHOD_LIST)
  assert.ok(inMethods.length > 20)
  const isOwn = ({ file, to }: Import) =>
    to === shape || (methodOf(to) !== undefined && methodOf(to) === methodOf(file))
  const offending = inMethods.filter(
    (one) => !isOwn(one) && !one.to.startsWith('contract/') && !/^node:(crypto|vm)$/.test(one.to) && one.to !== XML,
  )
  assert.deepEqual(offending, [])
  // plain data in, plain data out
  const stateful = sources(METHODS).filter((file) =>
    /\b(sql|Transaction|Queryable|Database|Services)\b/.test(readFileSync(`${root}${file}`, 'utf8')),
  )
  assert.deepEqual(stateful, [])
})

/** Calls that another module answers, and why. */
const ANSWERED_BY: Record<string, string> = {
  // one of its formats is a payment file
  downloadPayouts: 'payment-files',
  // may approve the partner for the year of the payment
  markPayoutPaid: 'tax-years',
}

test('the calls of a contract file are implemented by the module of the same name', () => {
  const answered = [...sources('server'), ...inFeatures].flatMap((file) => {
    const code = readFileSync(`${root}${file}`, 'utf8')
    const called = [...code.matchAll(/^import \* as (\w+) from '(?:#contract\/([\w-]+)|\.\.\/contract)\.ts'$/gm)]
    const names = new Map(called.map(([, name, from]) => [name, from ?? placeOf(file).module]))
    return [...code.matchAll(/\broute(?:Own|Csv)?\(\s*app,\s*(\w+)\.(\w+)/g)].map(
      ([, name, call]) =>
        `${call} of ${MODULE_OF[names.get(name)!] ?? names.get(name)} is answered by ${placeOf(file).module}`,
    )
  })
  const declared = endpoints.map(
    ({ name, room: module }) =>
      `${name} of ${MODULE_OF[module] ?? module} is answered by ${ANSWERED_BY[name] ?? MODULE_OF[module] ?? module}`,
  )
  assert.deepEqual(answered.sort(), declared.sort())
})

test('Wise is named in its folder, and elsewhere only where unavoidable', () => {
  const naming = [...sources('server'), ...inFeatures].filter(
    (file) =>
      partOf(file) === 'server' &&
      methodOf(file) !== 'wise' &&
      /wise/i.test(readFileSync(`${root}${file}`, 'utf8').replaceAll(/\b(other|like)wise\b/gi, '')),
  )
  assert.deepEqual(naming.sort(), Object.keys(MAY_NAME_WISE).sort())
})

/** Returns the names of functions in the code that receive every service and use none of them. */
const handingOn = (code: string) =>
  code.split(/\n\n(?=\S)/).flatMap((declared) => {
    const name = /(?:function|const) (\w+)[\s\S]*\bservices: Services\b/.exec(declared)?.[1]
    return name && !/\bservices\.\w|= services\b/.test(declared) ? [name] : []
  })

test('a function that only passes a service on receives only that one', () => {
  const handing = [...['server/program', 'server/integrations'].flatMap(sources), ...inFeatures].flatMap((file) =>
    handingOn(readFileSync(`${root}${file}`, 'utf8')).map((name) => `${file}: ${name}`),
  )
  assert.deepEqual(handing.sort(), Object.keys(MAY_HAND_ON).sort())
  const own = 'function own(services: Services) {\n  return book(services.db)\n}'
  const handed =
    'export async function handed(\n  tx: Transaction,\n  services: Services,\n) {\n  await own(services)\n}'
  assert.deepEqual(handingOn(`${own}\n\n${handed}`), ['handed'])
})

test('each rule refuses a violation', () => {
  const cases: [file: string, to: string, rule: RegExp][] = [
    ['contract/sales.ts', 'server/platform/refusal.ts', /^the contract/],
    ['contract/sales.ts', 'lodash', /^the contract/],
    ['embed/script.ts', 'web/format.ts', /^embed/],
    ['web/api.ts', 'server/platform/refusal.ts', /^the web application/],
    ['web/features/sales/SaleList.tsx', 'web/features/leads/queries.ts', /^a feature/],
    ['web/ui/Table.tsx', 'web/lists/DataTable.tsx', /^web\/ui may import no other module/],
    ['web/ui/Table.tsx', 'contract/leads.ts', /^web\/ui knows no call/],
    ['web/lists/DataTable.tsx', 'web/shared/MoneyLink.tsx', /^web\/lists may import ui of/],
    ['web/shared/MoneyLink.tsx', 'web/features/leads/queries.ts', /^web\/shared may import ui, lists of/],
    ['web/shell/Shell.tsx', 'web/features/leads/queries.ts', /^web\/shell may import/],
    ['web/features/leads/LeadList.tsx', 'web/routes/load.ts', /^web\/features may import/],
    ['server/platform/jobs/queue.ts', 'server/program/sales/queue.ts', /^platform stands below/],
    ['server/program/sales/record-sale.ts', 'server/integrations/mail/jobs.ts', /^program stands below/],
    ['server/integrations/mail/jobs.ts', 'server/queue-handlers.ts', /^integrations stands below/],
    ['server/program/leads/change-lead.ts', 'server/program/partners/queries.ts', /its queries$/],
    ['server/program/clicks/redirect.ts', 'server/program/leads/capture-lead.ts', /^clicks may import none/],
    [
      'server/program/leads/change-lead.ts',
      'server/program/sales/record-sale.ts',
      /^leads may import clicks, commissions/,
    ],
    ['server/program/commissions/rates.ts', 'server/program/payouts/transitions.ts', /^commissions may import none/],
    [`${METHODS.replace('methods/', '')}jobs.ts`, `${METHODS}wise/client.ts`, /the list of methods$/],
    [`${METHODS}manual/method.ts`, `${METHODS}wise/client.ts`, /the list of methods$/],
    ['server/program/stats/count.ts', 'server/program/leads/lead-status.ts', /^stats reads/],
  ]
  for (const [file, to, rule] of cases)
    assert.match(broken({ file, line: 1, to }) ?? 'allowed', rule, `${file} → ${to}`)
  const circle = [
    { file: 'server/program/leads/a.ts', line: 1, to: 'server/program/partners/b.ts' },
    { file: 'server/program/partners/b.ts', line: 2, to: 'server/program/links/c.ts' },
    { file: 'server/program/links/c.ts', line: 3, to: 'server/program/leads/a.ts' },
  ]
  for (const nodeOf of [roomOf, (path: string) => path.replace(/\w+\.ts$/, '')]) {
    assert.equal(circles(circle, nodeOf).length, 3)
    assert.equal(circles(circle.slice(1), nodeOf).length, 0)
  }
})
