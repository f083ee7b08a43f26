import { invitePartnerMember } from '#contract/members.ts'
import { changePartner as changePartnerCall, createPartner as createPartnerCall } from '#contract/partners.ts'
import type { PayoutDetails } from '#contract/payout-settings.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { W9 } from '#features/tax-years/contract.ts'
import { signTaxForm } from '#features/tax-years/server/forms.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { dayIn } from '../server/platform/time/days.ts'
import type { Actor } from '../server/program/access/actor.ts'
import { invitationRefused, revokeInvitation } from '../server/program/auth/invitations.ts'
import { getMember, inviteMember } from '../server/program/auth/members.ts'
import { archivePartner } from '../server/program/partners/archive-partner.ts'
import { changePartner } from '../server/program/partners/change-partner.ts'
import { createPartner } from '../server/program/partners/create-partner.ts'
import { savePayoutSettings } from '../server/program/payouts/payout-settings.ts'
import { changeTerms } from '../server/program/terms/terms-state.ts'
import { workOff } from './drain-jobs.ts'
import { bankInBrazil } from './euro-partners.ts'
import { type Person, people } from './people.ts'
import { UNKNOWN_TO_PAYPAL } from './providers.ts'
import { acceptAsPartner, setUp, signIns } from './sign-ups.ts'
import { DAY_MS, freshlyConfirmed, getAccess, type Harbor, type Story, toMoment } from './story.ts'

/** Plans how partners join, enter payout details and are approved for payouts, and later changes of some. */
export function planPartners(story: Story, harbor: Harbor) {
  for (const person of people) story.course.alone(story.before(person.joined), () => join(story, harbor, person))
}

async function join(story: Story, harbor: Harbor, person: Person) {
  const { services, course, before, clock } = story
  const { db } = services
  const {
    code,
    firstName,
    lastName,
    email,
    under,
    layerRates,
    firstStarter,
    maxPerCustomer = null,
    invitation,
  } = person
  const access = await getAccess(story, createPartnerCall, harbor.owner, harbor.id)
  const { id } = await transaction(db, (tx) =>
    createPartner(tx, services, userAuthor(harbor.owner), access, {
      firstName,
      lastName,
      email,
      referralCode: code,
      sendInvitation: true,
      // her links are from another program
      ...(code === 'camille' && { earlierCodes: ['camille_01'] }),
      parentPartnerId: under ? harbor.partners.get(under)! : null,
      commissionSettings: layerRates && !firstStarter ? { layerRates } : null,
    }),
  )
  harbor.partners.set(code, id)
  if (layerRates && firstStarter)
    await transaction(db, (tx) =>
      changeTerms(
        tx,
        userAuthor(harbor.owner),
        harbor.id,
        { kind: 'partner', id },
        {
          terms: {
            ...simpleTerms({ layerRates }),
            maxPerCustomer,
            rules: [
              {
                name: 'Starter plan, first payment',
                on: 'sale',
                when: { products: ['starter_monthly'], firstPayments: 1 },
                layerAmounts: [firstStarter],
              },
            ],
          },
          appliesTo: 'all-sales',
          notifyPartners: false,
        },
      ),
    )
  await workOff(services)
  if (invitation === 'bounced') await refuseMail(story, id)
  if (invitation === 'revoked')
    course.at(before(person.joined - 5), (tx) => revokeInvitation(tx, userAuthor(harbor.owner), id))
  if (invitation) return
  course.alone(new Date(clock.now().getTime() + 0.7 * DAY_MS), async () => {
    const partner = await acceptAsPartner(story, id, email, isSigningIn(email))
    await settleIn(story, harbor, person, id, partner)
    if (code === 'jane') course.alone(before(190), () => addMember(story, harbor, id, partner))
  })
}

/** Invites a colleague, who accepts at once and sees everything but the payout details. */
async function addMember(story: Story, { id: accountId }: Harbor, partnerId: string, partner: Actor) {
  const { services } = story
  const home = { accountId, partnerId }
  const access = await getAccess(story, invitePartnerMember, partner, partnerId)
  const noa = { email: 'noa@whitfield.example', firstName: 'Noa', lastName: 'Whitfield', role: 'member' } as const
  const { url } = await transaction(services.db, async (tx) =>
    getMember(tx, services, home, await inviteMember(tx, services, { home, actor: partner, access }, noa)),
  )
  await setUp(story, url!)
}

const isSigningIn = (email: string) => signIns.some((one) => one.email === email)

/** The mail server of the address rejects it as unknown. */
async function refuseMail({ services: { db } }: Story, partnerId: string) {
  const { id } = await db.one<{ id: string }>`select id from invitations where partner_id = ${partnerId}`
  await invitationRefused(db, id, 1, '550 5.1.1 The mailbox does not exist.', true)
}

async function settleIn(story: Story, harbor: Harbor, person: Person, id: string, partner: Actor) {
  const { services, course, before, clock, random } = story
  const { account, owner } = harbor
  const change = (body: Parameters<typeof changePartner>[4]) => async () => {
    const access = await getAccess(story, changePartnerCall, owner, id)
    await transaction(services.db, (tx) => changePartner(tx, services, userAuthor(owner), access, body))
  }
  const receivedOn = dayIn(account.timeZone, clock.now())
  if (person.approval !== 'never') {
    const onPaper = ON_PAPER.has(person.code)
    const taxForm = onPaper ? { kind: 'w-9' as const, receivedOn } : undefined
    await change({ approvedPayoutYears: yearsOf(story), taxForm })()
    if (!onPaper)
      await transaction(services.db, (tx) =>
        signTaxForm(tx, services.secrets, freshlyConfirmed(story, partner), { account, partnerId: id }, w9Of(person)),
      )
  }
  const account4 = String(random.whole(1000, 9998))
  const save = (entered: string | { email: string }) => async () => {
    const details: PayoutDetails =
      typeof entered === 'string' ? detailsOf(person, entered) : { kind: 'paypal', email: entered.email }
    await transaction(services.db, (tx) =>
      savePayoutSettings(tx, services, freshlyConfirmed(story, partner), { account, partnerId: id }, details),
    )
    await workOff(services)
  }
  if (person.details !== 'never') course.alone(new Date(clock.now().getTime() + DAY_MS), save(`83201${account4}`))
  const paypal = BY_PAYPAL[person.code]
  if (paypal) course.alone(before(paypal.from), save(paypal))

  const { suspended, archived, code } = person
  if (suspended) course.alone(toMoment(story, suspended.days), change({ state: 'suspended', reason: suspended.reason }))
  if (archived)
    course.at(toMoment(story, archived.days), (tx) =>
      archivePartner(tx, userAuthor(owner), account, id, {
        subPartners: 'move-up',
        balance: 'pay-out',
        reason: archived.reason,
      }),
    )
  if (code === 'tomas') course.alone(before(0.9), save('4407291186'))
  if (MISTYPED.has(code)) course.alone(before(19), save('9915500000'))
}

/** Partners who sent their tax form by mail, without its number here. */
const ON_PAPER = new Set(['hugo', 'camille'])

/** Partners who moved to PayPal, and when; one of them has no account there yet. */
const BY_PAYPAL: Record<string, { from: number; email: string }> = {
  'lena-fischer': { from: 95, email: 'lena@fischerdigital.example' },
  yuki: { from: 95, email: 'yuki@sato.example' },
  mira: { from: 16, email: UNKNOWN_TO_PAYPAL },
}

/** Partners whose new bank details are wrong. */
const MISTYPED = new Set(['grace', 'oliver'])

/** The years in which partners may be paid: this one, and the one before if the demo begins in it. */
const yearsOf = ({ before }: Story) => {
  const year = before(0).getUTCFullYear()
  return [year - 1, year]
}

const towns = [
  { city: 'Portland', state: 'me', zipCode: '04101' },
  { city: 'Boston', state: 'ma', zipCode: '02110' },
  { city: 'Austin', state: 'tx', zipCode: '78701' },
  { city: 'Seattle', state: 'wa', zipCode: '98101' },
  { city: 'Denver', state: 'co', zipCode: '80202' },
]

const addressOf = ({ code }: Person) => ({
  country: 'us' as const,
  addressLine: `${code.length * 11 + 3} Harbor Street`,
  ...towns[code.length % towns.length]!,
})

/** A W-9 with a number that belongs to no one: its group is 00. */
function w9Of(person: Person): W9 {
  const name = `${person.firstName} ${person.lastName}`
  const at = people.indexOf(person)
  return {
    kind: 'w-9',
    name,
    address: addressOf(person),
    classification: 'individual',
    tinType: 'ssn',
    tin: `2190${String(7391 + at * 37).padStart(5, '0')}`,
    certified: true,
    signature: name,
  }
}

/** The partner with a bank account in Brazil. */
const IN_BRAZIL = 'sofia'

function detailsOf(person: Person, accountNumber: string): PayoutDetails {
  const { firstName, lastName, code } = person
  if (code === IN_BRAZIL)
    return bankInBrazil(`${firstName} ${lastName}`, {
      addressLine: 'Rua Augusta 1508',
      zipCode: '01304-001',
      city: 'São Paulo',
      state: 'SP',
      account: accountNumber,
    })
  return {
    legalType: 'PRIVATE' as const,
    name: `${firstName} ${lastName}`,
    routingNumber: '021000021',
    accountNumber,
    accountType: code.length % 3 ? ('CHECKING' as const) : ('SAVINGS' as const),
    address: addressOf(person),
  }
}
