import { movePartners, PartnersMove } from '#contract/partners.ts'
import type { Reach } from '#contract/terms.ts'
import type { GroupChoices } from '../../shared/groups.ts'
import { ReachField } from '../../shared/ReachField.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { formAct } from '../../ui/form-act.tsx'
import { groupWords } from '../../words/groups.ts'

type Many = { accountId: string; ids: string[]; groups: GroupChoices; onMoved: () => void }

const Move = PartnersMove.pick({ groupId: true, appliesTo: true })

/** Moves partners to a group. */
export const MoveMany = formAct(movePartners, Move, ({ accountId, ids, groups, onMoved }: Many) => ({
  heading: groupWords.moveHeading({ count: ids.length }),
  submit: groupWords.move,
  initial: { groupId: '', appliesTo: 'new-customers' as Reach },
  send: (body) => ({ params: { id: accountId }, body: { ...body, partnerIds: ids } }),
  done({ results }, { body }) {
    onMoved()
    const count = results.filter(({ status }) => status === 200).length
    const group = groups.find(({ value }) => value === body.groupId)?.label ?? groupWords.label
    const moved = groupWords.moved({ count, group })
    return count === ids.length ? moved : `${moved}. ${groupWords.notMoved({ count: ids.length - count })}`
  },
  fields: (form) => (
    <>
      <SelectField {...form.field('groupId', groupWords.label)} choices={groups} placeholder={groupWords.choose} />
      <ReachField form={form} />
    </>
  ),
}))
