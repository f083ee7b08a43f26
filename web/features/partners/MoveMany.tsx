import { startBulkAction } from '#contract/bulk-actions.ts'
import { PartnersMove } from '#contract/partners.ts'
import type { Reach } from '#contract/terms.ts'
import { type Many, startedFrom } from '../../shared/bulk-actions.ts'
import type { GroupChoices } from '../../shared/groups.ts'
import { ReachField } from '../../shared/ReachField.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { groupWords } from '../../words/groups.ts'

const Move = PartnersMove.pick({ groupId: true, appliesTo: true })

/** Moves partners to a group in the background. */
export const MoveMany = defineFormAction(
  startBulkAction,
  Move,
  ({ groups, ...many }: Many & { groups: GroupChoices }) => ({
    heading: groupWords.moveHeading({ count: many.ids.length }),
    submit: groupWords.move,
    initial: { groupId: '', appliesTo: 'new-customers' as Reach },
    send: (change) => ({ params: { id: many.accountId }, body: { action: 'move-partners', ids: many.ids, change } }),
    part: 'change',
    done: startedFrom(many),
    fields: (form) => (
      <>
        <SelectField {...form.field('groupId', groupWords.label)} choices={groups} placeholder={groupWords.choose} />
        <ReachField form={form} />
      </>
    ),
  }),
)
