import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPromotionCode,
  deletePromotionCode,
  NewPromotionCode,
  type Partner,
  type PromotionCode,
} from '#contract/partners.ts'
import { promotionCodes } from '../../shared/queries.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { useContractForm } from '../../ui/contract-form.tsx'
import { ConfirmDelete } from '../../ui/Dialog.tsx'
import { useDialogCall } from '../../ui/dialog-call.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/fields.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { Failed } from '../../ui/Panel.tsx'
import { fieldWords } from '../../words/fields.ts'
import { partnerWords } from '../../words/partners.ts'
import { toastWords } from '../../words/shell.ts'

/** The shop's discount codes that credit the partner, added and deleted here. */
export function PromotionCodes({ partner: { id } }: { partner: Partner }) {
  const answer = useInfiniteQuery(promotionCodes(id))
  const { error, refetch, isFetching } = answer
  const codes = answer.data?.pages.flatMap(({ items }) => items)
  const [action, setAction] = useState<'add' | PromotionCode | null>(null)
  const close = () => setAction(null)
  return (
    <>
      {error && !codes && <Failed onRetry={refetch} busy={isFetching} why={error.message} />}
      {codes && codes.length > 0 && (
        <ul aria-label={partnerWords.promotionCodes.heading} className="stack gap-1 inset">
          {codes.map((one) => (
            <li key={one.id} className="row">
              <code className="rest wrap">{one.code}</code>
              <IconButton
                small
                label={partnerWords.promotionCodes.delete({ code: one.code })}
                icon={<CloseIcon size={16} />}
                onClick={() => setAction(one)}
              />
            </li>
          ))}
        </ul>
      )}
      {codes && (
        <div className="row inset">
          <Button small onClick={() => setAction('add')}>
            {partnerWords.promotionCodes.add}
          </Button>
          {answer.hasNextPage && (
            <Button small busy={answer.isFetchingNextPage} onClick={() => answer.fetchNextPage()}>
              {partnerWords.promotionCodes.more}
            </Button>
          )}
        </div>
      )}
      {action === 'add' && <Add partnerId={id} onClose={close} />}
      {action && action !== 'add' && <Delete code={action} onClose={close} />}
    </>
  )
}

function Add({ partnerId, onClose }: { partnerId: string; onClose: () => void }) {
  const form = useContractForm(NewPromotionCode, { initial: { code: '' } })
  const save = useDialogCall(addPromotionCode, { done: partnerWords.promotionCodes.added, onClose })
  return (
    <FormDialog
      heading={partnerWords.promotionCodes.add}
      why={partnerWords.promotionCodes.why}
      form={form}
      save={save}
      onSubmit={(body) => save.mutate({ params: { id: partnerId }, body })}
      onClose={onClose}
    >
      <TextField {...form.field('code')} autoComplete="off" spellCheck={false} />
    </FormDialog>
  )
}

function Delete({ code: { id, partnerId, code }, onClose }: { code: PromotionCode; onClose: () => void }) {
  const resource = fieldWords.promotionCode
  const remove = useDialogCall(deletePromotionCode, { done: toastWords.deleted({ resource }), onClose })
  return (
    <ConfirmDelete
      resource={resource}
      name={code}
      call={remove}
      onDelete={() => remove.mutate({ params: { id: partnerId, codeId: id } })}
      onClose={onClose}
    />
  )
}
