import { system, userAuthor } from '../server/platform/author.ts'
import { dayIn } from '../server/platform/time/days.ts'
import { refuseClaim } from '../server/program/claims/decide-claim.ts'
import { makeClaim } from '../server/program/claims/make-claim.ts'
import { type Harbor, type Story, toMoment } from './story.ts'

/** Days before today on which a stranger paid, whom two partners claim. */
const PAID = 6
const payer = 'accounts@prycewells.example'

/** Plans claims of missing sales: one is clear, another partner names the same sale, and one was refused. */
export function planClaims(story: Story, { account, owner, partners }: Harbor) {
  const { course, before } = story
  const idOf = (code: string) => partners.get(code)!

  course.at(before(9.4), async (tx) => {
    const given = { orderId: 'HA-20417', note: 'They signed up at my workshop in spring.' }
    const { id } = await makeClaim(tx, system, account, idOf('jane'), given)
    course.at(before(8.3), async (tx) => {
      await refuseClaim(tx, userAuthor(owner), account, id, { reason: 'We found no order with this number.' })
    })
  })
  course.at(before(4.6), async (tx) => {
    const day = dayIn(account.timeZone, toMoment(story, PAID))
    const note = 'Owen bought the team plan after our call, from another computer.'
    await makeClaim(tx, system, account, idOf('jane'), { email: payer, day, note })
  })
  course.at(before(1.5), async (tx) => {
    const sale = await tx.maybe<{ externalId: string }>`
      select external_id from sales
      where account_id = ${account.id} and payer_email = ${payer} and external_id is not null`
    const orderId = sale?.externalId ?? 'HA-20561'
    await makeClaim(tx, system, account, idOf('lena-fischer'), {
      orderId,
      note: 'My client, from the invoice they sent me.',
    })
  })
}
