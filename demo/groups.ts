import { movePartners as movePartnersCall } from '#contract/partners.ts'
import { simpleTerms } from '#contract/simple-terms.ts'
import type { Terms } from '#contract/terms.ts'
import { clocks } from '../server/clocks.ts'
import { userAuthor } from '../server/platform/author.ts'
import { transaction } from '../server/platform/database/pool.ts'
import { createGoal } from '../server/program/groups/goals.ts'
import { createGroup } from '../server/program/groups/groups.ts'
import { movePartners } from '../server/program/partners/move-partners.ts'
import { annualPlans } from './harbor.ts'
import { people } from './people.ts'
import { getAccess, type Harbor, type Story, toMoment } from './story.ts'

/** Days before today at which agencies got a group of their own. */
const AGENCIES = 130
/** Days before today at which a group for the best partners was made, with the goals that are judged since. */
const GOLD = 80

/** Agencies are paid for leads, and less for sales. */
const agencies: Terms = {
  ...simpleTerms({ layerRates: [15, 5] }),
  rules: [{ name: null, on: 'qualified-lead', when: {}, layerAmounts: [40_00] }],
}
const gold: Terms = { ...simpleTerms({ layerRates: [25, 5] }), rules: [annualPlans] }

/** Plans the groups and their goals, and the nights that judge these. */
export function planGroups(story: Story, harbor: Harbor) {
  const { course, services, before } = story
  const { id, account, owner } = harbor
  const by = userAuthor(owner)

  course.alone(toMoment(story, AGENCIES), async () => {
    const access = await getAccess(story, movePartnersCall, owner, id)
    const partnerIds = people.flatMap(({ agency, code }) => (agency ? harbor.partners.get(code)! : []))
    await transaction(services.db, async (tx) => {
      const names = { name: 'Agencies', publicName: 'Agency partners', joinSlug: 'agencies' }
      const { id: groupId } = await createGroup(tx, by, id, { ...names, terms: agencies })
      await movePartners(tx, services, by, access, { partnerIds, groupId, appliesTo: 'new-customers' })
    })
  })

  course.at(toMoment(story, GOLD), async (tx) => {
    const { id: groupId } = await createGroup(tx, by, id, { name: 'Gold', publicName: 'Gold partners', terms: gold })
    await createGoal(tx, by, account, id, {
      name: 'Ten thousand in 90 days',
      metric: 'revenue',
      window: 'last-90-days',
      atLeast: 10_000_00,
      moveToGroupId: groupId,
    })
    await createGoal(tx, by, account, groupId, {
      name: 'Busy month',
      metric: 'revenue',
      window: 'month',
      atLeast: 5_000_00,
      bonus: 250_00,
    })
  })
  for (let days = GOLD - EVERY; days > 0; days -= days > EVERY ? EVERY : 1)
    course.alone(before(days - NIGHT), () => clocks.goals!.run(services))
}

/** Days between the nights that judge; at the end every night does. */
const EVERY = 4
/** Half past three, and after two also where clocks were changed. */
const NIGHT = 3.5 / 24
