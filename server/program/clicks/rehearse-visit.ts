import { newId } from '../../platform/database/ids.ts'
import type { Transaction } from '../../platform/database/pool.ts'
import { dayIn } from '../../platform/time/days.ts'
import { visitorAddresses } from './destination.ts'
import { resolveOwnLink } from './own-link.ts'
import { blueprintsByKey, type NewClick, ownersOfClickedCodes } from './queries.ts'
import { recordClicks } from './record-clicks.ts'
import { obstacleTo } from './recording.ts'

type Rehearsed =
  | { clickId: string; location: string; obstacle: undefined }
  | { obstacle: NonNullable<ReturnType<typeof obstacleTo>> | 'the destination is not on the domain of the link' }

/**
 * Returns the effect of a visit to this link, in a transaction that is rolled back. Reads the link and its owner in it
 * too, since they may exist only there.
 */
export async function rehearseVisit(tx: Transaction, key: string, code: string): Promise<Rehearsed> {
  const [link] = await blueprintsByKey(tx, [key])
  const [owner] = link ? await ownersOfClickedCodes(tx, [{ accountId: link.accountId, code }]) : []
  if (!link || !owner) return { obstacle: 'the code is unknown' }
  const obstacle = obstacleTo(link, owner, tx.now)
  if (obstacle) return { obstacle }
  const destination = visitorAddresses(link)
  if (!destination) return { obstacle: 'the destination is not on the domain of the link' }
  const click: NewClick = {
    id: newId(),
    accountId: link.accountId,
    blueprintId: link.id,
    partnerId: owner.partnerId,
    day: dayIn(link.timeZone, tx.now),
    at: tx.now,
    ipHash: null,
    userAgentClass: 'desktop',
    country: null,
    referrerHost: null,
    landingPath: null,
    ...resolveOwnLink(link, owner.partnerId, {}),
    paidParameters: null,
    isBot: false,
    source: 'redirect',
  }
  await recordClicks(tx, [click])
  return { clickId: click.id, location: destination.withCode(owner.code, click, ''), obstacle: undefined }
}
