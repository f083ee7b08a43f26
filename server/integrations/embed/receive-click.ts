import type { EmbeddedClick } from '#contract/embed.ts'
import { newId } from '../../platform/database/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { RecordClick } from '../../program/clicks/record-clicks.ts'
import { isRecording } from '../../program/clicks/recording.ts'
import { readReportedClick } from '../../program/clicks/report-click.ts'
import { isAllowedOrigin } from './origin.ts'
import type { EmbedFacts } from './queries.ts'

type Needs = Pick<Services, 'db' | 'secrets'> & { recordClick: RecordClick }
type From = { origin: string | undefined; address: string; userAgent: string | undefined; country: string | null }

/**
 * Counts an arrival with a code that did not come through a short link; returns its id after the commit. Also returns
 * an id if no partner is credited: it matches no click.
 */
export async function receiveClick(
  { db, secrets, recordClick }: Needs,
  embedded: EmbedFacts,
  body: EmbeddedClick,
  from: From,
) {
  const { account, domains } = embedded
  const at = db.now
  if (!isRecording(account, at) || !isAllowedOrigin(domains, from.origin)) return { clickId: newId() }
  const click = await readReportedClick(db, secrets, account, {
    source: 'embed',
    referralCode: body.referralCode,
    pageUrl: body.pageUrl ?? null,
    referrer: body.referrer ?? null,
    address: from.address,
    userAgent: from.userAgent ?? '',
    country: from.country,
    at,
  })
  if (!click) return { clickId: newId() }
  await recordClick(click)
  return { clickId: click.id }
}
