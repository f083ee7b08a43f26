import { useEffect, useState } from 'react'
import { setPasswordPrompt } from '../step-up.ts'
import { lazyComponent } from '../ui/lazy-part.tsx'

const ProofDialog = lazyComponent(async () => (await import('../shared/FreshProof.tsx')).ProofDialog)

type Question = { why: string; answer: (confirmed: boolean) => void }

/** Prompts for a proof when a call is refused for lack of a fresh one. */
export function StepUp() {
  const [question, setQuestion] = useState<Question | null>(null)
  useEffect(() => {
    setPasswordPrompt((why) => new Promise((answer) => setQuestion({ why, answer })))
    return () => setPasswordPrompt(null)
  }, [])
  if (!question) return null
  const answer = (confirmed: boolean) => {
    setQuestion(null)
    question.answer(confirmed)
  }
  return <ProofDialog why={question.why} onAnswer={answer} />
}
