import type { LinkTest } from '#contract/links.ts'
import { Message } from '../../ui/Message.tsx'
import { t } from '../../words.ts'

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
  if (status === null) return { kind: 'error', what: t('links.silent'), why: t('links.silentWhy') } as const
  if (redirectsTo && parameterKept) {
    return {
      kind: 'success',
      what: t('links.works'),
      why: t('links.worksRedirect', { address: withoutQuery(redirectsTo), parameter }),
    } as const
  }
  if (redirectsTo) {
    return {
      kind: 'warning',
      what: t('links.lost'),
      why: t('links.lostWhy', { address: withoutQuery(redirectsTo), parameter }),
    } as const
  }
  if (parameterKept) {
    return { kind: 'success', what: t('links.works'), why: t('links.worksDirect', { status, parameter }) } as const
  }
  return { kind: 'warning', what: t('links.answered', { status }), why: t('links.answeredWhy') } as const
}

const withoutQuery = (address: string) => address.split('?')[0] as string
