import { useQuery } from '@tanstack/react-query'
import { answerQuestion, NewAnswer, type PartnerQuestion } from '#contract/fraud-cases.ts'
import { useCall } from '../../calls.ts'
import { useAccount } from '../../shell/current.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { TextAreaField } from '../../ui/fields.tsx'
import { FormFrame, SubmitButton } from '../../ui/form.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { showToast } from '../../ui/toasts.ts'
import { questionWords as words } from '../../words/fraud-cases.ts'
import { questionsQuery } from './news-queries.ts'

/** The account's questions that wait for the partner's answer; nothing without one. */
export function Questions({ partnerId }: { partnerId: string }) {
  const { data } = useQuery(questionsQuery(partnerId))
  const waiting = data?.items.filter(({ answer }) => answer === null) ?? []
  return waiting.map((question) => <Asked key={question.id} partnerId={partnerId} question={question} />)
}

function Asked({ partnerId, question: { id, question } }: { partnerId: string; question: PartnerQuestion }) {
  const { displayName } = useAccount()
  const form = useContractForm(NewAnswer, { initial: { questionId: id, text: '' } })
  const save = useCall(answerQuestion, {
    onSuccess() {
      focusHeading({ preventScroll: true })
      showToast(words.sent)
    },
  })
  const heading = words.heading({ account: displayName })
  return (
    <Panel heading={heading}>
      <div className="stack gap-2 inset">
        <p className="lines">{question}</p>
        <FormFrame
          form={form}
          save={save}
          label={heading}
          onSubmit={({ body }) => save.mutate({ params: { id: partnerId }, body })}
        >
          <TextAreaField {...form.field('text', words.answer)} rows={3} />
          <div>
            <SubmitButton>{words.send}</SubmitButton>
          </div>
        </FormFrame>
      </div>
    </Panel>
  )
}
