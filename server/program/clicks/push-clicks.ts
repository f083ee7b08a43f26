import { NewPushedClick, type PushedClick } from '#contract/clicks.ts'
import type { PushResult } from '#contract/push.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { parse } from '../../platform/http/parse.ts'
import { namedPerRow } from '../../platform/http/rows.ts'
import { Refusal, rowError, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { clicksKept } from './click-measures.ts'
import { KEPT_CLICK_DAYS } from './forget-clicks.ts'
import { blueprintsByKey, type NewClick } from './queries.ts'
import { recordClicks } from './record-clicks.ts'
import { readReportedClick } from './report-click.ts'

/** Clock skew tolerated for client timestamps, in milliseconds. */
const AHEAD_MS = 5 * 60_000

/**
 * Records a click counted by another system.
 * Refuses: `validation_failed` for a code that credits no partner, an unknown or disabled link, a time in the future or
 * before the retention period of clicks.
 */
export async function pushClick(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  pushed: NewPushedClick,
): Promise<PushedClick> {
  const click = await readPushedClick(tx, secrets, account, pushed)
  const [isKept] = await recordClicks(tx, [click])
  if (!isKept) throw creditsNobody()
  tx.afterCommit(() => clicksKept.add('push'))
  return present(click)
}

/** Records up to 100 clicks, each with its own result; the valid ones are recorded together. */
export async function pushClicks(tx: Transaction, secrets: Secrets, account: AccountFacts, rows: unknown[]) {
  const outcomes: (NewClick | Refusal)[] = []
  for (const row of rows) {
    try {
      outcomes.push(
        await readPushedClick(tx, secrets, account, parse(NewPushedClick, row, 'body', namedPerRow(rows.length))),
      )
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      outcomes.push(error)
    }
  }
  const clicks = outcomes.filter((outcome): outcome is NewClick => !(outcome instanceof Refusal))
  const kept = await recordClicks(tx, clicks)
  const gone = new Set(clicks.filter((_, index) => !kept[index]))
  tx.afterCommit(() => clicksKept.add('push', clicks.length - gone.size))
  return { results: outcomes.map((outcome) => asResult(gone.has(outcome as NewClick) ? creditsNobody() : outcome)) }
}

const creditsNobody = () => wrongField('referralCode', 'no_active_partner_has_code')

async function readPushedClick(tx: Transaction, secrets: Secrets, account: AccountFacts, pushed: NewPushedClick) {
  const { referralCode, url, referrer, ip, userAgent } = pushed
  const click = await readReportedClick(tx, secrets, account, {
    source: 'push',
    referralCode,
    pageUrl: url ?? null,
    referrer: referrer ?? null,
    address: ip ?? null,
    country: null,
    userAgent: userAgent ?? undefined,
    at: momentOf(pushed, tx.now),
    blueprintId: pushed.blueprintKey ? await blueprintOf(tx, account, pushed.blueprintKey) : undefined,
  })
  if (!click) throw creditsNobody()
  return click
}

function momentOf({ at }: NewPushedClick, now: Date): Date {
  if (!at) return now
  const moment = new Date(at)
  if (moment.getTime() > now.getTime() + AHEAD_MS) throw wrongField('at', 'click_in_future')
  if (moment.getTime() < now.getTime() - KEPT_CLICK_DAYS * 86_400_000)
    throw wrongField('at', 'click_too_old', { days: KEPT_CLICK_DAYS })
  return moment
}

async function blueprintOf(tx: Transaction, account: AccountFacts, key: string): Promise<string> {
  const [blueprint] = await blueprintsByKey(tx, [key.toLowerCase()])
  if (blueprint?.accountId !== account.id) throw wrongField('blueprintKey', 'unknown_link')
  if (!blueprint.live) throw wrongField('blueprintKey', 'link_disabled')
  return blueprint.id
}

const present = ({ id, partnerId, blueprintId, at }: NewClick): PushedClick => ({
  id,
  partnerId,
  blueprintId,
  at: at.toISOString(),
})

function asResult(outcome: NewClick | Refusal): PushResult {
  if (!(outcome instanceof Refusal)) return { status: 201, id: outcome.id, error: null }
  return { status: outcome.status, id: null, error: rowError(outcome) }
}
