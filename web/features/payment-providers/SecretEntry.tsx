import type { ComponentProps } from 'react'
import { PasswordField } from '../../ui/fields.tsx'
import { t } from '../../words.ts'

/** A key or secret that is typed or pasted, hidden until its eye is pressed: 'Show key', 'Show secret'. */
export function SecretEntry(props: Omit<ComponentProps<typeof PasswordField>, 'showLabel'>) {
  const kind = props.label.split(' ').at(-1) ?? ''
  return <PasswordField {...props} showLabel={t('paymentProviders.show', { kind: kind.toLowerCase() })} />
}
