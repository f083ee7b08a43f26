import { answerQuestion, NewAnswer } from '#contract/questions.ts'
import { useCall } from '../calls.ts'
import { useContractForm } from '../ui/contract-form.tsx'
import { TextAreaField } from '../ui/fields.tsx'
import { FormFrame, SubmitButton } from '../ui/form.tsx'
import { showToast } from '../ui/toasts.ts'
import { questionWords as words } from '../words/questions.ts'

type Props = { partnerId: string; questionId: string; label: string; onSent: () => void }

/** A partner’s answer to a question of the account. */
export function AnswerForm({ partnerId, questionId, label, onSent }: Props) {
  const form = useContractForm(NewAnswer, { initial: { questionId, text: '' } })
  const save = useCall(answerQuestion, {
    onSuccess() {
      onSent()
      showToast(words.answerSent)
    },
  })
  return (
    <FormFrame
      form={form}
      save={save}
      label={label}
      onSubmit={({ body }) => save.mutate({ params: { id: partnerId }, body })}
    >
      <TextAreaField {...form.field('text', words.answer)} rows={3} />
      <div>
        <SubmitButton>{words.sendAnswer}</SubmitButton>
      </div>
    </FormFrame>
  )
}
