import { certifications } from '#contract/tax-certifications.ts'
import type { FormWith } from '../../ui/contract-form.tsx'
import { CheckboxField, TextField } from '../../ui/fields.tsx'
import { taxFormWords as words } from '../../words/tax-forms.ts'

/** The words that a form certifies, and the name typed below them. */
export function Certified({
  form: { field },
  kind,
}: {
  form: FormWith<{ certified: boolean; signature: string }>
  kind: keyof typeof certifications
}) {
  return (
    <>
      <div className="stack gap-2 small muted" lang="en" translate="no">
        {certifications[kind].split('\n').map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
      <CheckboxField {...field('certified', words.certified)} />
      <TextField {...field('signature', words.signature)} help={words.signatureHelp} autoComplete="off" />
    </>
  )
}
