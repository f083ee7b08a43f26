type Props = {
  choices: readonly { value: string; label: string }[]
  /** Label of the empty choice; without it a choice is required. */
  none?: string | undefined
}

/** The options of a `<select>`. */
export const Options = ({ choices, none }: Props) => (
  <>
    {none !== undefined && <option value="">{none}</option>}
    {choices.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </>
)
