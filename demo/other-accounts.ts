import { changeAccount as changeAccountCall } from '#contract/accounts.ts'
import { createPartner as createPartnerCall } from '#contract/partners.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import type { Actor } from '../server/program/access/actor.ts'
import { createAccount, switchAccount } from '../server/program/accounts/accounts.ts'
import { setUpToken } from '../server/program/auth/invitations.ts'
import { invitationOfOwner } from '../server/program/auth/owners.ts'
import { captureLead } from '../server/program/leads/capture-lead.ts'
import { createLinkBlueprint } from '../server/program/links/link-blueprints.ts'
import { createPartner } from '../server/program/partners/create-partner.ts'
import { recordByHand } from '../server/program/sales/record-by-hand.ts'
import { workOff } from './drain-jobs.ts'
import { acceptAsUser, personAs, setUp } from './sign-ups.ts'
import { getAccess, type Story, toMoment } from './story.ts'

/** Plans the other accounts of an administrator: a small one, a disabled one, and one without owner. */
export function planOtherAccounts(story: Story, admin: Actor) {
  const { course, services } = story
  const by = userAuthor(admin)
  course.alone(toMoment(story, 170), () => openCobalt(story, admin))
  course.alone(toMoment(story, 150), () => openPinegate(story, admin))
  course.at(toMoment(story, 1), (tx) => createAccount(tx, services, by, { name: 'Fernway Legal' }))
}

/** Opens an account whose owner is also a partner of Harbor Analytics. */
async function openCobalt(story: Story, admin: Actor) {
  const { services, course } = story
  const { db } = services
  const email = 'nadia@cobalt.example'
  const owner = { email, firstName: 'Nadia', lastName: 'Haddad' }
  const id = await transaction(db, (tx) =>
    createAccount(tx, services, userAuthor(admin), { name: 'Cobalt Fitness', timeZone: 'America/Chicago', owner }),
  )
  await workOff(services)
  const invitation = await db.one<{ id: string; sendCount: number }>`
    select id, send_count from invitations where account_id = ${id} and kind = 'owner'`
  const { userId } = await acceptAsUser(story, email, setUpToken(services.secrets, invitation))
  const nadia = personAs(userId, email, { teamRoles: { [id]: 'owner' } })
  const by = userAuthor(nadia)
  const access = await getAccess(story, changeAccountCall, nadia, id)
  const { account } = await getAccess(story, createPartnerCall, nadia, id)
  const link = { name: 'Free trial week', destinationUrl: 'https://cobalt.example/trial' }
  await transaction(db, (tx) => createLinkBlueprint(tx, services.config, by, account, link))

  const coaches = [
    { firstName: 'Ben', lastName: 'Ortiz', referralCode: 'coach-ben' },
    { firstName: 'Maja', lastName: 'Lind', referralCode: 'coach-maja' },
  ]
  for (const [index, coach] of coaches.entries()) {
    const body = { ...coach, email: `${coach.referralCode}@cobalt.example`, sendInvitation: true }
    await transaction(db, (tx) => createPartner(tx, services, by, { ...access, account }, body))
    for (let number = 1; number <= 4; number++)
      course.at(toMoment(story, 160 - number * 31 + index * 4), async (tx) => {
        const member = { firstName: 'Member', lastName: `No. ${index * 4 + number}` }
        const { leadId } = await captureLead(tx, account, {
          source: 'embed',
          ...member,
          email: `member-${index}${number}@mail.example`,
          referralCode: coach.referralCode,
        })
        if (number % 2 === 0) return
        const sale = { amount: 59_00, description: 'Membership' }
        await recordByHand(tx, by, { as: 'owner', account, subjectId: leadId, partnerId: null }, sale)
      })
  }
  await workOff(services)
}

/** Opens an account disabled because it did not pay. */
async function openPinegate(story: Story, admin: Actor) {
  const { services, course } = story
  const { db } = services
  const by = userAuthor(admin)
  const owner = { email: 'h.ito@pinegate.example', firstName: 'Haruka', lastName: 'Ito' }
  const id = await transaction(db, (tx) => createAccount(tx, services, by, { name: 'Pinegate Travel', owner }))
  await setUp(story, (await invitationOfOwner(db, services, id))!.url!)
  course.at(toMoment(story, 30), (tx) =>
    switchAccount(tx, by, id, { to: 'disabled', reason: 'Invoice open since three months' }),
  )
}
