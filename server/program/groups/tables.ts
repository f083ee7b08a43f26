import { GroupReward, NewGoal, NewGroup } from '#contract/groups.ts'
import { declareTables } from '../../platform/database/declare-tables.ts'
import { callFields, rates } from '../../platform/database/shapes.ts'
import { sql } from '../../platform/database/sql.ts'

declareTables({
  groups: {
    subject: 'group',
    columns: `id account_id name public_name layer_rates_ppm created_at updated_at deleted_at join_slug
      kind reward automatic translations`,
    exported: {
      shapes: { ...callFields(NewGroup, 'name publicName translations'), ...rates, reward: GroupReward },
    },
  },
  goals: {
    subject: 'goal',
    columns: `id account_id group_id position name metric time_window at_least below bonus move_to_group_id applies_to
      created_at updated_at deleted_at set_at`,
    exported: { shapes: { ...callFields(NewGoal, 'name') } },
  },
  goal_awards: {
    columns: `id account_id goal_id partner_id period name metric at_least bonus figure due_at voided
      created_at final counts_from`,
    exported: {
      // an archive of the previous release lacks it
      arrives: (now) => ({ final: sql`coalesce(r.final, r.due_at <= ${now})` }),
      shapes: { ...callFields(NewGoal, 'name') },
    },
  },
})
