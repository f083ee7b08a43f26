import { type ReactNode, useId } from 'react'
import { formatCountry } from '../format.ts'
import type { FieldProps } from '../ui/contract-form.tsx'
import { TagsField } from '../ui/TagsField.tsx'
import { termsWords } from '../words/terms.ts'
import { listCountries } from './countries.ts'

/** Several countries, by their codes; typed or chosen by name, or typed as codes. */
export function CountriesField(props: FieldProps<string[]> & { help?: ReactNode }) {
  const list = useId()
  const all = listCountries()
  function codeOf(typed: string) {
    const text = typed.trim()
    const named = all.find(({ label }) => label.toLowerCase() === text.toLowerCase())
    return named?.value ?? text.toUpperCase()
  }
  return (
    <>
      <TagsField
        {...props}
        spaced
        list={list}
        placeholder={termsWords.addCountry}
        tidy={codeOf}
        show={(code) => (code.length === 2 ? formatCountry(code) : code)}
        isWrong={(code) => all.every(({ value }) => value !== code)}
      />
      <datalist id={list}>
        {all.map(({ value, label }) => (
          <option key={value} value={label} />
        ))}
      </datalist>
    </>
  )
}
