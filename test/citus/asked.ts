import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addresses } from '#contract/addresses.ts'
import { endpoints } from '#contract/index.ts'

/** The variable with the folder that `collect.ts` writes to. */
export const folderOfAsked = 'ASKED_FOLDER'

/** Workers that each statement was sent to, and one statement of each call, at most. */
export type Asked = {
  statements: { text: string; from: string; machines: number }[]
  calls: { name: string; machines: number }[]
}

/** Workers of the tests' cluster. */
const ALL = 2

/** Statements that may query several machines, by the file or by words they contain, with the reason. */
type Reason = { from?: string; words?: string; because: string }

const reasons: readonly Reason[] = [
  // what is on every machine is written on all of them
  ...['accounts', 'api_keys', 'embed_codes', 'incoming_webhooks', 'invitations', 'link_blueprints', 'outgoing_webhooks']
    .concat('provider_connections', 'provider_shops', 'user_roles', 'users', 'euro_rates')
    .concat('file_keys', 'hosts', 'partner_links', 'program_slugs')
    .flatMap((table) =>
      [`update ${table} `, `insert into ${table} `, `delete from ${table} `].map((words) => ({
        words,
        because: `${table} is on every machine, since it is read far more often than written`,
      })),
    ),
  // administrators, commands and clocks
  { from: 'server/platform/database/', because: 'the machines themselves are looked after' },
  { from: 'server/platform/backups/', because: 'a backup and the list of erasures beside it are of all accounts' },
  { from: 'server/platform/jobs/boss.ts', because: 'the tables of the queue are made' },
  { words: 'and protected_until <= $1', because: 'the clock finds the leads whose protection has ended' },
  { from: 'server/program/stats/verify', because: 'verify-ledger computes the books of all accounts anew' },
  { from: 'server/integrations/payment-providers/verify-payments.ts', because: 'likewise, against providers' },
  { from: 'server/integrations/data-transfer/', because: 'an import compares its ids with those of every account' },
  { from: 'server/program/accounts/', because: 'the list of accounts for administrators' },
  { words: 'from accounts a left join total_stats', because: 'likewise, their figures' },
  { from: 'server/program/system/', because: 'administrators look at the whole install' },
  { from: 'server/retention.ts', because: 'the clock deletes the old rows of all accounts' },
  { from: 'features/rehearsals/server/', because: 'likewise' },
  { from: 'server/program/access/each-night.ts', because: 'the clock works for each account whose hour has come' },
  { from: 'server/program/sales/euro-rates.ts', because: 'the clock books the waiting sales of all accounts' },
  { from: 'server/integrations/mail/', because: 'the clock gathers the news of all accounts; once for each email' },
  { from: 'features/push/server/', because: 'the log is cut to its length for all accounts at once' },
  ...['jobs', 'connections', 'payout-measures', 'drive', 'provider-events'].map((file) => ({
    from: `server/program/payouts/${file}.ts`,
    because: 'clocks look at all accounts, and a transfer’s account is found by its id',
  })),
  { words: 'from method_secrets where method', because: 'one bank account may pay for accounts of several machines' },
  {
    from: 'server/program/payouts/reconciliation/',
    because: 'a transfer may be of any account, and a restore concerns all of them',
  },
  { words: 'from payout_reconciliations r', because: 'whether payouts of the whole install are paused' },
  // background work, once for a batch of many accounts
  { from: 'server/platform/events/', because: 'the relay reads a batch of events of all accounts' },
  { from: 'server/integrations/outgoing-webhooks/leases.ts', because: 'couriers serve the webhooks of all accounts' },
  // rows found without their account
  { from: 'server/program/auth/', because: 'who opens a link is found before their account is known' },
  { from: 'server/program/partners/', because: 'the addresses of a partner whose payout details change' },
  {
    from: 'server/integrations/payment-providers/',
    because: 'the clock looks for waiting events of all accounts',
  },
  {
    from: 'server/integrations/incoming-webhooks/queries.ts',
    because: 'the clock deletes the old deliveries of all accounts',
  },
]

/** Returns the workers queried per call, as text lines, and a complaint for each statement without a reason. */
export async function readAsked(folder: string): Promise<{ lines: string[]; complaints: string[] }> {
  const all: Asked[] = []
  for (const name of (await readdir(folder)).sort()) all.push(JSON.parse(await readFile(join(folder, name), 'utf8')))
  const wide = new Map<string, string>()
  for (const { text, from, machines } of all.flatMap(({ statements }) => statements))
    if (machines > 1 && !reasons.some((reason) => covers(reason, text, from))) wide.set(text, from)
  const most = new Map<string, number>()
  for (const { name, machines } of all.flatMap(({ calls }) => calls)) {
    const call = nameOf(name)
    if (call) most.set(call, Math.max(most.get(call) ?? 0, machines))
  }
  const named = (machines: number) => [...most].flatMap(([name, number]) => (number === machines ? [name] : [])).sort()
  return {
    lines: [
      `Workers asked by one statement of a call: none by ${named(0).length} calls, one by ${named(1).length}.`,
      `All of them by ${named(ALL).length}: ${named(ALL).join(', ')}`,
    ],
    complaints: [...wide].map(([text, from]) => `${from} asks several machines:\n${text.trim()}`),
  }
}

const covers = ({ from, words }: Reason, text: string, origin: string) =>
  (from === undefined || origin.startsWith(from)) && (words === undefined || text.replace(/\s+/g, ' ').includes(words))

const patterns = [
  ...endpoints.map(({ name, method, path }) => ({ name, method, path: `/api/v1${path}` })),
  ...addresses.map(({ name, method, path }) => ({ name, method, path })),
].map(({ path, ...call }) => ({ ...call, path: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`) }))

/** Returns the call of a request's method and path. */
function nameOf(request: string): string | undefined {
  const [method, path = ''] = request.split(' ')
  return patterns.find((one) => one.method === method && one.path.test(path))?.name
}
