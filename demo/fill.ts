import { clocks } from '../server/clocks.ts'
import type { Services } from '../server/platform/services.ts'
import { dayIn } from '../server/platform/time/days.ts'
import type { Actor } from '../server/program/access/actor.ts'
import { prepareFirstAdministrator } from '../server/program/auth/first-administrator.ts'
import { planAgreement } from './agreement.ts'
import { planAnnouncements } from './announcements.ts'
import { planApplications } from './applications.ts'
import { planMaterial } from './assets.ts'
import { planClaims } from './claims.ts'
import type { TurnedClock } from './clock.ts'
import { frontDoor } from './demo-server.ts'
import { workOff } from './drain-jobs.ts'
import { planEuroAccount } from './euro-account.ts'
import { planFraud } from './fraud.ts'
import { planGroups } from './groups.ts'
import { connectStripe, foundHarbor, makeIntegrations, makeLinks, planTerms } from './harbor.ts'
import { planLeads } from './leads.ts'
import { planOtherAccounts } from './other-accounts.ts'
import { planOtherSystems } from './other-systems.ts'
import { planOwnLinks } from './own-links.ts'
import { planPartners } from './partners.ts'
import { planPayouts } from './payouts.ts'
import { planPromotionCodes } from './promotion-codes.ts'
import type { DemoProviders } from './providers.ts'
import { seededRandom } from './random.ts'
import { planReports } from './reports.ts'
import { planSales } from './sales.ts'
import { PASSPHRASE, personAs, signIns } from './sign-ups.ts'
import { DAY_MS, type Story } from './story.ts'
import { stripePayments } from './stripe-payments.ts'
import { createCourse } from './timeline.ts'
import { planVisits } from './visits.ts'

const TIME_ZONE = 'America/New_York'
/** Days before the end at which the account was opened. */
const OPENED = 373

type Filling = {
  /** Services on an empty database, using `clock`. */
  services: Services
  clock: TurnedClock
  standIns: DemoProviders
  now: Date
  /** Called with the present moment of the story, again and again. */
  onDay?: (at: Date) => void
  /** 1 is about 45,000 visits, 1,500 leads and 500 sales. */
  scale?: number
}

/**
 * Plays the twelve months of Harbor Analytics up to the start of today, every step through the product's own functions
 * under a clock turned to its moment. Figures depend only on the day. Returns the key of the account's own application.
 */
export async function fillDemo({
  services: given,
  clock,
  standIns,
  now,
  onDay,
  scale = 1,
}: Filling): Promise<{ accountId: string; key: string }> {
  const services = { ...given, config: { ...given.config, firstAdministrator, smtpUrl: null } }
  const today = dayIn(TIME_ZONE, now)
  const { end } = await services.db.one<{ end: string }>`
    select ${today}::date::timestamp at time zone ${TIME_ZONE} as "end"`
  const before = (days: number) => new Date(Date.parse(end) - days * DAY_MS)
  const course = createCourse(services.db, clock, onDay)
  const random = seededRandom(`Harbor Analytics ${today}`)
  const story: Story = { services, clock, course, random, standIns, scale, before }

  clock.turnTo(before(OPENED))
  const admin = await makeAdministrator(story)
  const harbor = await foundHarbor(story, admin)
  const door = frontDoor(story)
  const stripe = stripePayments(story, harbor, await connectStripe(story, harbor), door)
  const blueprints = await makeLinks(story, harbor)
  const key = await makeIntegrations(story, harbor)
  const sales = planSales(story, harbor, stripe)
  planTerms(story, harbor)
  planOtherAccounts(story, admin)
  planPartners(story, harbor)
  planGroups(story, harbor)
  planPromotionCodes(story, harbor)
  planApplications(story, harbor)
  planAgreement(story, harbor)
  planMaterial(story, harbor)
  planAnnouncements(story, harbor)
  planReports(story, harbor)
  planFraud(story, harbor, stripe)
  planLeads(story, harbor, planVisits(story, harbor, blueprints, planOwnLinks(story, harbor, blueprints)), sales)
  sales.planStrangers()
  planClaims(story, harbor)
  planPayouts(story, harbor)
  planEuroAccount(story, harbor, admin)
  planOtherSystems(story, harbor, door)
  // months pass in seconds, so autovacuum would not run in time for the growing tables
  for (const days of [360, 310, 250, 200, 141, 113, 85, 57, 29, 13, 6, 2])
    course.alone(before(days), () => services.db.run`analyze`)

  await course.run(before(0))
  await clocks['gather-payouts']!.run(services)
  await workOff(services)
  await door.close()
  return { accountId: harbor.id, key }
}

const firstAdministrator = { email: signIns[0].email, password: PASSPHRASE }

async function makeAdministrator({ services }: Story): Promise<Actor> {
  await prepareFirstAdministrator(services)
  const { email } = firstAdministrator
  const { id } = await services.db.one<{ id: string }>`select id from users where email = ${email}`
  return personAs(id, email, { isAdmin: true })
}
