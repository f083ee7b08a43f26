import { useQuery } from '@tanstack/react-query'
import { startBulkAction } from '#contract/bulk-actions.ts'
import { PartnersMove } from '#contract/partners.ts'
import type { Reach } from '#contract/terms.ts'
import { startedFrom } from '../../shared/bulk-actions.ts'
import { PartnerField } from '../../shared/PartnerPicker.tsx'
import { partnerQuery } from '../../shared/queries.ts'
import { ReachField } from '../../shared/ReachField.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { fieldWords } from '../../words/fields.ts'
import { groupWords } from '../../words/groups.ts'

const Chosen = PartnersMove.pick({ partnerIds: true, appliesTo: true })

/** Moves chosen partners into a group, in the background. */
export const AddPartners = defineFormAction(
  startBulkAction,
  Chosen,
  ({ accountId, groupId }: { accountId: string; groupId: string }) => ({
    heading: groupWords.addPartners,
    initial: { partnerIds: [] as string[], appliesTo: 'new-customers' as Reach },
    send: ({ partnerIds, ...change }) => ({
      params: { id: accountId },
      body: { action: 'move-partners', ids: partnerIds, change: { ...change, groupId } },
    }),
    done: startedFrom({ accountId, ids: [], onStarted: () => undefined }),
    fields: (form) => {
      const { value: ids, onChange, ...field } = form.field('partnerIds', fieldWords.partner)
      return (
        <>
          <PartnerField
            {...field}
            value={null}
            onChange={(id) => id && !ids.includes(id) && onChange([...ids, id])}
            accountId={accountId}
          />
          {ids.length > 0 && (
            <ul className="stack gap-0">
              {ids.map((id) => (
                <Added key={id} id={id} onRemove={() => onChange(ids.filter((other) => other !== id))} />
              ))}
            </ul>
          )}
          <ReachField form={form} />
        </>
      )
    },
  }),
)

function Added({ id, onRemove }: { id: string; onRemove: () => void }) {
  const name = useQuery(partnerQuery(id)).data?.displayName ?? ''
  return (
    <li className="row between no-wrap ruled">
      <span className="wrap">{name}</span>
      <IconButton small label={groupWords.leaveOut({ name })} icon={<CloseIcon size={16} />} onClick={onRemove} />
    </li>
  )
}
