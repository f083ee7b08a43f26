import { useState } from 'react'
import { useMediaQuery } from '#web/ui/browser.ts'
import type { FormWith } from '#web/ui/contract-form.tsx'
import { SelectField, TextField } from '#web/ui/fields.tsx'
import { DoneIcon, WarningIcon } from '#web/ui/icons.tsx'
import { Panel } from '#web/ui/Panel.tsx'
import {
  type EmbedElement,
  embedElements,
  type MatchedElements,
  type SelectorType,
  selectorTypes,
  wrongSelector,
} from '../contract.ts'
import { embedCodeWords } from '../text.ts'
import styles from './ElementRows.module.css'

type FormOf = FormWith<{ config: Record<EmbedElement, { selectorType: SelectorType; selectorValue: string }> }>
type Props = { form: FormOf; matched: MatchedElements | null }

/** One row per element of a lead form: its selector, and whether the check found it. */
export function ElementRows({ form, matched }: Props) {
  const wide = useMediaQuery('(min-width: 768px)')
  return (
    <Panel heading={embedCodeWords.elementsHeading} aside={wide && <small>{embedCodeWords.elementsHelp}</small>}>
      {wide && (
        <div aria-hidden="true" className={`muted strong small ${styles.wide}`}>
          <span>{embedCodeWords.element}</span>
          <span>{embedCodeWords.selectorType}</span>
          <span>{embedCodeWords.selectorValue}</span>
          <span>{embedCodeWords.onYourSite}</span>
        </div>
      )}
      {embedElements.map((element) => (
        <ElementRow key={element} form={form} element={element} found={matched?.[element]} wide={wide} />
      ))}
    </Panel>
  )
}

type RowProps = {
  form: FormOf
  element: EmbedElement
  found: boolean | undefined
  /** Below the heads of the columns, instead of labels of its own. */
  wide: boolean
}

/** Validates on every keystroke once the field was left with a value; choosing 'Default' empties the value. */
function ElementRow({ form, element, found, wide }: RowProps) {
  const [judged, setJudged] = useState(false)
  const name = embedCodeWords.elements[element]
  const { field } = form
  const type = field(`config.${element}.selectorType`, embedCodeWords.typeOf({ element: name }))
  const value = field(`config.${element}.selectorValue`, embedCodeWords.valueOf({ element: name }))
  const isDefault = type.value === 'default'
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of a grid in every browser
    <div
      role="group"
      aria-label={name}
      className={`ruled ${wide ? `labels-hidden ${styles.wide}` : 'stack gap-2 inset-all'}`}
    >
      {wide && <strong aria-hidden="true">{name}</strong>}
      <SelectField
        {...type}
        onChange={(chosen) => {
          if (!chosen) return
          type.onChange(chosen)
          if (chosen === 'default') value.onChange('')
          setJudged(judged || value.value !== '')
        }}
        choices={selectorTypes.map((key) => ({ value: key, label: embedCodeWords.types[key] }))}
      />
      <div className={isDefault ? styles.byDefault : styles.value}>
        <TextField
          {...value}
          autoComplete="off"
          placeholder={isDefault ? embedCodeWords.byDefault[element] : embedCodeWords.such[type.value]}
          error={(judged && wrongSelector(type.value, value.value.trim())) || value.error}
          onBlur={() => {
            setJudged(judged || value.value !== '')
            value.onBlur()
          }}
        />
      </div>
      <Found found={found} />
    </div>
  )
}

function Found({ found }: { found: boolean | undefined }) {
  if (found === undefined) return <span className="muted">{embedCodeWords.notChecked}</span>
  return found ? (
    <span className="row gap-1 success">
      <DoneIcon size={16} /> {embedCodeWords.found}
    </span>
  ) : (
    <span className="row gap-1 warning">
      <WarningIcon size={16} /> {embedCodeWords.notFound}
    </span>
  )
}
