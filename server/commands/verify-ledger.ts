import { Option } from 'commander'
import { type DigestVersion, readLedgerDigest } from '../integrations/data-transfer/rows.ts'
import { verifyPayments } from '../integrations/payment-providers/verify-payments.ts'
import { missingTriggers } from '../platform/database/missing-triggers.ts'
import { type Database, transaction } from '../platform/database/pool.ts'
import { countInWords } from '../platform/format-values.ts'
import { createOutbound } from '../platform/http/outbound.ts'
import { apiMethods } from '../program/payouts/methods/registry.ts'
import { verifyTransfers } from '../program/payouts/reconciliation/verify-transfers.ts'
import { listChecks, verifyLedger } from '../program/stats/verify.ts'
import { type Define, defineReport, type Progress } from './command.ts'
import { type OpenInstall, withInstall } from './install.ts'

export const define: Define = (program) => {
  const command = defineReport<Record<string, boolean | string>>(
    program
      .command('verify-ledger')
      .description('Recompute every figure from its source; list any differences and exit with 1.'),
    (_, options, tell) =>
      withInstall(async (install) => {
        const books = await verifyBooks(install.db, tell)
        const paid = []
        for (const one of apiMethods) if (options[one.name]) paid.push(await verifyPaid(one, install, tell))
        const { digest } = options
        const version = digest === '1' ? 1 : 2
        if (digest) for (const line of await digestsOf(install.db, version)) tell(line)
        const differences = [...books.differences, ...paid.flatMap((one) => one.differences)]
        const unread = paid.flatMap((one) => one.unread)
        return {
          lines: [
            ...differences.map(
              ({ check, subject, expected, actual }) =>
                `${check}: ${subject}\n  expected ${expected}\n  actual   ${actual}`,
            ),
            ...(differences.length > 0 ? [`${countInWords(differences.length, 'difference')}.`] : []),
          ],
          json: { checks: countChecks(), payments: books.compared, differences, unread },
          exitCode: differences.length > 0 ? 1 : unread.length > 0 ? 2 : 0,
        }
      }),
  )
  command.addOption(
    new Option(
      '--digest [version]',
      'also print the digest of each account’s ledger; with 1 as earlier releases computed it, with personal columns',
    ).choices(['1', '2']),
  )
  for (const { name, label } of apiMethods)
    command.option(`--${name}`, `also read recent transfers from ${label}; exit with 2 if only those can’t be read`)
  return command
}

const PROTECTED = 'the triggers that protect booked amounts are in place'
const countChecks = () => [...listChecks(), PROTECTED].length

async function verifyBooks(db: Database, tell: Progress) {
  const books = await transaction(db, async (tx) => {
    await tx.run`set transaction isolation level repeatable read, read only`
    await tx.run`set local statement_timeout = 0`
    const ledger = await verifyLedger(tx)
    const payments = await verifyPayments(tx)
    return { differences: [...ledger, ...payments.differences], compared: payments.compared }
  })
  for (const subject of await missingTriggers(db))
    books.differences.push({ check: PROTECTED, subject, expected: 'on', actual: 'missing, disabled or changed' })
  if (books.differences.length === 0)
    tell(
      `The ledger is consistent: ${countChecks()} checks, and ${countInWords(books.compared, 'payment')} of providers read again.`,
    )
  return books
}

/** Returns the version and a line for each account. */
const digestsOf = (db: Database, version: DigestVersion) =>
  transaction(db, async (tx) => {
    await tx.run`set transaction isolation level repeatable read, read only`
    await tx.run`set local statement_timeout = 0`
    const accounts = await tx.many<{ id: string }>`select id from accounts order by id`
    const lines = [`Ledger digests, version ${version}:`]
    for (const { id } of accounts) lines.push(`${id} ${await readLedgerDigest(tx, id, version)}`)
    return lines
  })

/** Returns the differences, and the accounts that could not be read. */
async function verifyPaid(method: (typeof apiMethods)[number], { db, config, secrets }: OpenInstall, tell: Progress) {
  const { label } = method
  const outbound = createOutbound({ allowPrivate: config.allowPrivateWebhookTargets })
  try {
    const { differences, compared, unread } = await verifyTransfers(
      { db, config, log: db.log, outbound, secrets: await secrets() },
      method,
    )
    tell(`${label}: ${countInWords(compared, 'transfer')} read back.`)
    for (const { accountId, reason } of unread) tell(`${label} couldn’t be read for account ${accountId}: ${reason}`)
    return { differences, unread }
  } finally {
    await outbound.close()
  }
}
