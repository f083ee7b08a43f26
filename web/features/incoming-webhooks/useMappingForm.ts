import { useEffect, useMemo, useRef } from 'react'
import { type IncomingWebhook, IncomingWebhookChange } from '#contract/incoming-webhooks.ts'
import { useContractForm } from '../../ui/contract-form.tsx'
import { isSame } from '../../ui/form-values.ts'
import { authMistakes, toAuthValues } from './auth.ts'
import { ruleMistakes, toRuleValues, withLaterGuesses } from './mapping.ts'

export type MappingForm = ReturnType<typeof useMappingForm>

/** A webhook's form, with guesses from its newest sample; of the `open` fields also in rules that are mapped already. */
export function useMappingForm(webhook: IncomingWebhook, open: readonly string[] | undefined) {
  const { name, auth, enabled, rules, guessesByRule, dedupePath, allowedIps } = webhook
  const guessed = useMemo(
    () => rules.map((rule, at) => toRuleValues(rule, guessesByRule[at], open)),
    [rules, guessesByRule, open],
  )
  const form = useContractForm(IncomingWebhookChange, {
    initial: {
      name,
      enabled,
      auth: toAuthValues(auth),
      dedupePath: dedupePath ?? '',
      allowedIps,
      rules: guessed,
    },
    omit: ['auth', 'rules'],
    check: (values) => ({ ...authMistakes(values.auth, auth.type), ...ruleMistakes(values.rules) }),
  })
  const { values, set } = form
  const begun = useRef(guessed)
  useEffect(() => {
    const before = begun.current
    begun.current = guessed
    if (!isSame(before, guessed)) set({ rules: withLaterGuesses(values.rules, before, guessed) })
  }, [guessed, values, set])
  return form
}
