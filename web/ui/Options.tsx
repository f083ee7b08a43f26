type Props = {
  /** `lang`: of a label in another language than the page. */
  choices: readonly { value: string; label: string; lang?: string }[]
  /** Label of the empty choice; without it a choice is required. */
  none?: string | undefined
}

/** The options of a `<select>`. */
export const Options = ({ choices, none }: Props) => (
  <>
    {none !== undefined && <option value="">{none}</option>}
    {choices.map(({ value, label, lang }) => (
      <option key={value} value={value} lang={lang}>
        {label}
      </option>
    ))}
  </>
)
