import { asUuid, NIL, newId } from '#server/platform/database/ids.ts'
import type { Services } from '#server/platform/services.ts'
import { resolveClick } from '#server/program/clicks/attribution.ts'
import { readReferral } from '#server/program/clicks/read-referral.ts'
import type { RecordClick } from '#server/program/clicks/record-clicks.ts'
import { isRecording } from '#server/program/clicks/recording.ts'
import { readReportedClick } from '#server/program/clicks/report-click.ts'
import { readArrival } from '../../../embed/address.ts'
import type { EmbeddedClick } from '../contract.ts'
import { isAllowedOrigin } from './origin.ts'
import type { EmbedFacts } from './queries.ts'

type Needs = Pick<Services, 'db' | 'secrets'> & { recordClick: RecordClick }
type From = { origin: string | undefined; address: string; userAgent: string | undefined; country: string | null }

/**
 * Counts an arrival with a code that did not come through a short link; returns its id, after the commit, and the code
 * that credits it. If no partner is credited, returns the id of the visitor's click until then, which remains their
 * latest; else one that matches no click.
 */
export async function receiveClick(
  { db, secrets, recordClick }: Needs,
  embedded: EmbedFacts,
  body: EmbeddedClick,
  from: From,
) {
  const { account, domains, parameters } = embedded
  const at = db.now
  const nobody = (clickId = newId()) => ({ clickId, referralCode: null })
  if (!isRecording(account, at) || !isAllowedOrigin(domains, from.origin)) return nobody()
  const onPage = readArrival(body.pageUrl ?? '', parameters)
  const sent = body.referralCode ? await readReferral(db, account.id, body.referralCode, true) : undefined
  const codes = [...(onPage?.codes ?? []), ...(sent?.codes ?? [])]
  // a short link has counted the visit already
  for (const click of [onPage?.click, sent?.click])
    if (click && (await resolveClick(db, account.id, click, at)))
      return { clickId: click, referralCode: codes[0] ?? null }
  const read = await readReportedClick(db, secrets, account, {
    source: 'embed',
    codes,
    pageUrl: body.pageUrl ?? null,
    referrer: body.referrer ?? null,
    address: from.address,
    userAgent: from.userAgent ?? '',
    country: from.country,
    at,
  })
  if (!read) {
    const former = asUuid(body.clickId ?? '')
    return nobody(former === NIL ? undefined : former)
  }
  await recordClick(read.click)
  return { clickId: read.click.id, referralCode: read.code }
}
