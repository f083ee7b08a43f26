import { useQuery } from '@tanstack/react-query'
import { nativeName, shippedLanguages } from '#contract/language.ts'
import { listLanguages } from '#features/languages/contract.ts'
import { apiQuery } from '../calls.ts'
import { Checkbox } from '../ui/Checkbox.tsx'
import type { FieldProps } from '../ui/contract-form.tsx'
import { SelectField, useNotes } from '../ui/fields.tsx'
import { accountLanguageWords as words } from '../words/account-languages.ts'

/** Every install has these. */
const shipped = ['en', ...shippedLanguages].map((language) => ({ language, name: nativeName(language) }))

/** The languages of emails and program pages, as this install has them, without some. */
export function useLanguageChoices(without: readonly string[] = []) {
  const { data } = useQuery(apiQuery(listLanguages))
  const languages = data?.items.filter(({ parts }) => parts.includes('server')) ?? shipped
  return languages
    .filter(({ language }) => !without.includes(language))
    .map(({ language, name }) => ({ value: language, label: name, lang: language }))
}

type LanguageProps = FieldProps<string | null> & {
  help?: string
  placeholder?: string
  optional?: boolean
  /** Languages that can't be chosen. */
  without?: readonly string[]
}

/** One of the languages; without a placeholder there is always one. */
export function LanguageField({ without, ...props }: LanguageProps) {
  return <SelectField {...props} choices={useLanguageChoices(without)} />
}

/** The further languages of a program page, beside the one in which the account writes. */
export function PageLanguagesField({
  id,
  label,
  value,
  error,
  onChange,
  base,
}: FieldProps<string[]> & { base: string }) {
  const choices = useLanguageChoices([base])
  const { notes, describedBy } = useNotes(id, words.pageHelp, error)
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={describedBy} className="stack gap-2">
      <legend className="strong">{label}</legend>
      <div className="row gap-3">
        {choices.map((choice) => (
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
