import { nativeName, shippedLanguages } from '#contract/language.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import type { FieldProps } from '../ui/contract-form.tsx'
import { SelectField, useNotes } from '../ui/fields.tsx'
import { accountLanguageWords as words } from '../words/account-languages.ts'

const choices = ['en', ...shippedLanguages].map((value) => ({ value, label: nativeName(value), lang: value }))

type LanguageProps = FieldProps<string | null> & { help: string; placeholder?: string; optional?: boolean }

/** One of the languages; without a placeholder there is always one. */
export const LanguageField = (props: LanguageProps) => <SelectField {...props} choices={choices} />

/** The further languages of a program page, beside the one in which the account writes. */
export function PageLanguagesField({
  id,
  label,
  value,
  error,
  onChange,
  base,
}: FieldProps<string[]> & { base: string }) {
  const { notes, describedBy } = useNotes(id, words.pageHelp, error)
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={describedBy} className="stack gap-2">
      <legend className="strong">{label}</legend>
      <div className="row gap-3">
        {choices
          .filter((choice) => choice.value !== base)
          .map((choice) => (
            <Checkbox
              key={choice.value}
              label={choice.label}
              checked={value.includes(choice.value)}
              onChange={(on) =>
                onChange(on ? [...value, choice.value] : value.filter((language) => language !== choice.value))
              }
            />
          ))}
      </div>
      {notes}
    </fieldset>
  )
}
