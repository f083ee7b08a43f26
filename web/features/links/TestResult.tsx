import type { LinkTest } from '#contract/links.ts'
import { Message } from '../../ui/Message.tsx'
import { linkWords } from '../../words/links.ts'

/** A link test's result in words. */
export function TestResult({ test, parameterName }: { test: LinkTest; parameterName: string }) {
  const { kind, what, why } = wordsOf(test, parameterName)
  return (
    <Message kind={kind}>
      <strong>{what}</strong>
      <p>{why}</p>
    </Message>
  )
}

function wordsOf({ status, redirectsTo, parameterKept }: LinkTest, parameter: string) {
  if (status === null) return { kind: 'error', what: linkWords.silent, why: linkWords.silentWhy } as const
  if (redirectsTo && parameterKept) {
    return {
      kind: 'success',
      what: linkWords.works,
      why: linkWords.worksRedirect({ address: withoutQuery(redirectsTo), parameter }),
    } as const
  }
  if (redirectsTo) {
    return {
      kind: 'warning',
      what: linkWords.lost,
      why: linkWords.lostWhy({ address: withoutQuery(redirectsTo), parameter }),
    } as const
  }
  if (parameterKept) {
    return { kind: 'success', what: linkWords.works, why: linkWords.worksDirect({ status, parameter }) } as const
  }
  return { kind: 'warning', what: linkWords.answered({ status }), why: linkWords.answeredWhy } as const
}

const withoutQuery = (address: string) => address.split('?')[0] as string
