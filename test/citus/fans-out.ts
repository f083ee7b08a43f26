import { covers, type Exception } from '../plans/exceptions.ts'
import type { Statement } from '../plans/statement.ts'
import type { Catalogue } from './catalogue.ts'
import { tablesOfAnyAccount } from './statements.ts'

/**
 * Statements that may query these tables of accounts on every machine, by the file or by words they contain, and why.
 */
const fansOut: readonly Exception[] = [
  { from: 'server/program/stats/verify', because: 'verify-ledger computes the books of all accounts anew' },
  {
    from: 'server/integrations/payment-providers/verify-payments.ts',
    because: 'likewise, against what providers told',
  },
  {
    from: 'server/integrations/data-transfer/',
    because: 'an import compares its ids with those of every account',
  },
  { from: 'server/platform/events/', because: 'the relay takes events of all accounts from one queue' },
  { from: 'server/program/system/', because: 'administrators look at the whole install' },
  {
    from: 'server/program/accounts/queries.ts',
    tables: ['payout_accounts'],
    because: 'the list of accounts for administrators',
  },
  {
    from: 'server/integrations/outgoing-webhooks/turns.ts',
    because: 'couriers serve the webhooks of all accounts',
  },
  {
    from: 'server/integrations/incoming-webhooks/queries.ts',
    because: 'old deliveries of all accounts are deleted, and one whose job names no account is found by its id',
  },
  {
    from: 'server/integrations/imports/',
    because: 'an import whose job names no account is found by its id',
  },
  {
    from: 'server/integrations/payment-providers/',
    tables: ['provider_events'],
    because:
      'the clock looks for waiting events of all accounts, and one whose job names no account is found by its id',
  },
  {
    from: 'server/platform/database/by-key.ts',
    because: 'a job queued by an earlier version names no account, so its row is found by its id alone',
  },
  { from: 'server/program/access/each-night.ts', because: 'the clock works for each account whose hour has come' },
  {
    words: 'from payout_reconciliations r join payout_accounts pa',
    because: 'whether payouts of the whole install are paused concerns all accounts',
  },
  { from: 'server/retention.ts', because: 'the clock deletes the old rows of all accounts' },
  { from: 'server/integrations/mail/', because: 'the clock gathers the news of all accounts' },
  { from: 'server/integrations/push/', because: 'the log is cut to its length for all accounts at once' },
  { from: 'server/integrations/rehearsals/', because: 'a rehearsal whose job names no account is found by its id' },
  { from: 'server/program/auth/', because: 'who opens a link is found before their account is known' },
  { words: ' < $1 limit $2)', tables: ['clicks', 'lead_submissions'], because: 'retention' },
  {
    from: 'server/program/leads/queries.ts',
    tables: ['leads'],
    because: 'the clock finds the leads of all accounts whose protection has ended',
  },
  {
    from: 'server/program/leads/',
    tables: ['leads', 'lead_submissions'],
    because: 'the clock tells of leads of all accounts',
  },
  {
    from: 'server/program/partners/',
    tables: ['partners', 'former_emails'],
    because: 'the addresses of a partner whose payout details change, by their id alone',
  },
  { from: 'server/program/payouts/drive.ts', because: 'a job has the id of a payout, by which its account is found' },
  {
    from: 'server/program/payouts/provider-events.ts',
    because: 'a provider tells of a transfer, by which its payout is found',
  },
  ...['connections', 'jobs', 'payout-measures'].map((file) => ({
    from: `server/program/payouts/${file}`,
    because: 'clocks, commands and measures look at all accounts',
  })),
  {
    from: 'server/program/payouts/reconciliation/',
    because: 'a transfer may be of any account, and a restore concerns all of them',
  },
  { from: 'server/program/sales/euro-rates', because: 'the clock books the waiting sales of all accounts' },
]

/** A statement, and a table of accounts that it reads without restricting the account. */
export type Asking = { table: string; text: string; from: string }

export const askingAnyAccount = (statements: Statement[], catalogue: Catalogue): Asking[] =>
  statements.flatMap(({ text, from }) => tablesOfAnyAccount(text, catalogue).map((table) => ({ table, text, from })))

/** Returns each statement that queries every machine without a reason. */
export function complaintsAbout(asking: Asking[]): string[] {
  const open = asking.filter((one) => !fansOut.some((reason) => covers(reason, one)))
  return Map.groupBy(open, ({ text }) => text)
    .entries()
    .map(([text, some]) => {
      const tables = some.map(({ table }) => table).join(', ')
      return `${some[0]!.from} asks for ${tables} of whichever account:\n${text.trim()}`
    })
    .toArray()
}

/** Exceptions that no statement needs. */
export const unneeded = (asking: Asking[]): string[] =>
  fansOut.flatMap((reason) =>
    asking.some((one) => covers(reason, one)) ? [] : `fans out: ${reason.from ?? reason.words} is needed by nothing.`,
  )
