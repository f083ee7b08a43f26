import type { NewPushedClick, PushedClick } from '#contract/clicks.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { handleTogether, type RowAnswer, refusalOfRow } from '../../platform/http/rows.ts'
import { Refusal, wrongField } from '../../platform/refusal.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { clicksKept } from './click-measures.ts'
import { KEPT_CLICK_DAYS } from './delete-old-clicks.ts'
import { type BlueprintFacts, blueprintsByKey, type NewClick } from './queries.ts'
import { readReferral } from './read-referral.ts'
import { recordClicks } from './record-clicks.ts'
import { readReportedClick } from './report-click.ts'
import { cleanSubId } from './sub-id.ts'

/** Clock skew tolerated for client timestamps, in milliseconds. */
const AHEAD_MS = 5 * 60_000

/**
 * Records clicks counted by another system, the valid ones together.
 * Refuses, for its row only: a code that credits no partner, an unknown or disabled link, a time in the future or before
 * the retention period of clicks.
 */
export async function pushClicks(
  tx: Transaction,
  secrets: Secrets,
  account: AccountFacts,
  rows: NewPushedClick[],
): Promise<(RowAnswer | Refusal)[]> {
  const read: (NewClick | Refusal)[] = []
  for (const row of rows) read.push(await readPushedClick(tx, secrets, account, row).catch(refusalOfRow))
  return handleTogether(read, isClick, async (clicks) => {
    const kept = await recordClicks(tx, clicks)
    tx.afterCommit(() => clicksKept.add('push', kept.filter(Boolean).length))
    return clicks.map((click, at) => (kept[at] ? answerOf(click) : creditsNobody()))
  })
}

const isClick = (click: NewClick | Refusal): click is NewClick => !(click instanceof Refusal)

const creditsNobody = () => wrongField('referralCode', 'no_active_partner_has_code')

async function readPushedClick(tx: Transaction, secrets: Secrets, account: AccountFacts, pushed: NewPushedClick) {
  const { referralCode, url, referrer, ip, userAgent } = pushed
  const { codes } = await readReferral(tx, account.id, referralCode, true)
  const read = await readReportedClick(tx, secrets, account, {
    source: 'push',
    codes,
    pageUrl: url ?? null,
    referrer: referrer ?? null,
    address: ip ?? null,
    country: null,
    userAgent: userAgent ?? undefined,
    at: momentOf(pushed, tx.now),
    link: pushed.blueprintKey ? await linkOf(tx, account, pushed.blueprintKey) : undefined,
    subId: cleanSubId(pushed.subId),
  })
  if (!read) throw creditsNobody()
  return read.click
}

function momentOf({ at }: NewPushedClick, now: Date): Date {
  if (!at) return now
  const moment = new Date(at)
  if (moment.getTime() > now.getTime() + AHEAD_MS) throw wrongField('at', 'click_in_future')
  if (moment.getTime() < now.getTime() - KEPT_CLICK_DAYS * 86_400_000)
    throw wrongField('at', 'click_too_old', { days: KEPT_CLICK_DAYS })
  return moment
}

async function linkOf(tx: Transaction, account: AccountFacts, key: string): Promise<BlueprintFacts> {
  const [link] = await blueprintsByKey(tx, [key.toLowerCase()])
  if (link?.accountId !== account.id) throw wrongField('blueprintKey', 'unknown_link')
  if (!link.live) throw wrongField('blueprintKey', 'link_disabled')
  return link
}

const answerOf = ({ id, partnerId, blueprintId, at }: NewClick): RowAnswer => {
  const body: PushedClick = { id, partnerId, blueprintId, at: at.toISOString() }
  return { status: 201, id, body }
}
