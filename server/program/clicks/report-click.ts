import { newId } from '../../platform/database/ids.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import type { Secrets } from '../../platform/database/secrets.ts'
import { visitorHash } from '../../platform/http/visitor-hash.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AccountFacts } from '../access/account-facts.ts'
import { partnerByCode } from './attribution.ts'
import { bindToBlueprint } from './bind-click.ts'
import { resolveOwnLink } from './own-link.ts'
import { paidParametersIn, queryIn } from './paid-parameters.ts'
import type { BlueprintFacts, NewClick } from './queries.ts'
import { subIdIn } from './sub-id.ts'
import { hostIn, readUserAgent, toPath } from './visitor.ts'

/** A visit reported by the script on a page or by an account's own system. */
export type ReportedClick = {
  source: 'embed' | 'push'
  /** The codes given, best first. */
  codes: string[]
  pageUrl: string | null
  referrer: string | null
  /** Address of the visitor; null if unknown. */
  address: string | null
  /** Undefined if unknown, which does not count as a bot. */
  userAgent: string | undefined
  country: string | null
  at: Date
  /** The link, if known; else the blueprint matching the page is used. */
  link?: BlueprintFacts | undefined
  /** The sub-ID sent; undefined: the page's own. */
  subId?: string | null
}

/** Returns the click to record, and the code that credits it; null if none credits a partner. */
export async function readReportedClick(
  db: Queryable,
  secrets: Secrets,
  account: Pick<AccountFacts, 'id' | 'timeZone' | 'fraudRules' | 'oldLinkParameters'>,
  reported: ReportedClick,
): Promise<{ click: NewClick; code: string } | null> {
  const { codes, pageUrl, address, at, source, link } = reported
  const partner = await partnerByCode(db, account.id, ...codes)
  if (!partner) return null
  const agent = reported.userAgent === undefined ? null : readUserAgent(reported.userAgent)
  const blueprint = link ?? (await bindToBlueprint(db, account, partner.given, pageUrl))
  const sent = reported.subId === undefined ? subIdOn(pageUrl, blueprint) : reported.subId
  const click: NewClick = {
    id: newId(),
    accountId: account.id,
    blueprintId: blueprint?.id ?? null,
    partnerId: partner.partnerId,
    ...resolveOwnLink(link, partner.partnerId, { sent }),
    day: dayIn(account.timeZone, at),
    at,
    ipHash: address ? visitorHash(secrets, address, at) : null,
    userAgentClass: agent?.class ?? null,
    country: reported.country,
    referrerHost: hostIn(reported.referrer),
    landingPath: toPath(pageUrl),
    paidParameters: paidParametersIn(queryIn(pageUrl), account.fraudRules?.paidAds.campaigns ?? []),
    isBot: agent?.isBot ?? false,
    source,
  }
  return { click, code: partner.given }
}

const subIdOn = (pageUrl: string | null, blueprint: { parameterName: string } | null) =>
  subIdIn(URL.parse(pageUrl ?? '')?.search.slice(1) ?? '', blueprint?.parameterName ?? '')
