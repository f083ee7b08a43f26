import { useQuery } from '@tanstack/react-query'
import { AnswerForm } from '../../shared/AnswerForm.tsx'
import { useAccount } from '../../shell/current.ts'
import { focusHeading } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { questionWords as words } from '../../words/questions.ts'
import { questionsQuery } from './news-queries.ts'

/** The account's questions that wait for the partner's answer; nothing without one. */
export function Questions({ partnerId }: { partnerId: string }) {
  const { displayName } = useAccount()
  const { data } = useQuery(questionsQuery(partnerId))
  const waiting = data?.items.filter(({ answer }) => answer === null) ?? []
  const heading = words.from({ account: displayName })
  return waiting.map(({ id, about, question }) => (
    <Panel key={id} heading={heading}>
      <div className="stack gap-2 inset">
        <p className="lines">{question}</p>
        {about && <p className="muted small wrap">{about}</p>}
        <AnswerForm
          partnerId={partnerId}
          questionId={id}
          label={heading}
          onSent={() => focusHeading({ preventScroll: true })}
        />
      </div>
    </Panel>
  ))
}
