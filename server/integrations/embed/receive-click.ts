import type { EmbeddedClick } from '#contract/embed.ts'
import { ReferralCode } from '#contract/partners.ts'
import { asUuid, NIL, newId } from '../../platform/database/ids.ts'
import type { Services } from '../../platform/services.ts'
import type { RecordClick } from '../../program/clicks/record-clicks.ts'
import { isRecording } from '../../program/clicks/recording.ts'
import { readReportedClick } from '../../program/clicks/report-click.ts'
import { isAllowedOrigin } from './origin.ts'
import type { EmbedFacts } from './queries.ts'

type Needs = Pick<Services, 'db' | 'secrets'> & { recordClick: RecordClick }
type From = { origin: string | undefined; address: string; userAgent: string | undefined; country: string | null }

/**
 * Counts an arrival with a code that did not come through a short link; returns its id after the commit. If no partner is
 * credited, returns the id of the visitor's click until then, which remains their latest; else one that matches no click.
 */
export async function receiveClick(
  { db, secrets, recordClick }: Needs,
  embedded: EmbedFacts,
  body: EmbeddedClick,
  from: From,
) {
  const { account, domains, parameters } = embedded
  const at = db.now
  if (!isRecording(account, at) || !isAllowedOrigin(domains, from.origin)) return { clickId: newId() }
  const read = (referralCode: string) =>
    readReportedClick(db, secrets, account, {
      source: 'embed',
      referralCode,
      pageUrl: body.pageUrl ?? null,
      referrer: body.referrer ?? null,
      address: from.address,
      userAgent: from.userAgent ?? '',
      country: from.country,
      at,
    })
  let click = await read(body.referralCode)
  for (const code of click ? [] : otherCodesIn(body, parameters)) click ??= await read(code)
  if (!click) {
    const former = asUuid(body.clickId ?? '')
    return { clickId: former === NIL ? newId() : former }
  }
  await recordClick(click)
  return { clickId: click.id }
}

const MOST_CODES = 5

/**
 * Returns the other codes in the page's address that the script would read: sites use a parameter such as `ref` for more
 * than partners.
 */
function otherCodesIn({ referralCode, pageUrl }: EmbeddedClick, { names, plain }: EmbedFacts['parameters']): string[] {
  const query = URL.parse(pageUrl ?? '')?.searchParams
  const codes = names.flatMap((name, at) => {
    const value = query?.get(name)
    return value && (at >= plain || ReferralCode.safeParse(value).success) ? [value.toLowerCase()] : []
  })
  return [...new Set(codes)].filter((code) => code !== referralCode.toLowerCase()).slice(0, MOST_CODES)
}
