import type { Rule } from '../../ui/form.tsx'
import { t } from '../../words.ts'

/** The second entry of a password is the first one again. */
export const repeated: Rule<{ password: string }> = (value, _label, { password }) =>
  value === password ? undefined : t('rules.same')
