type Props = {
  choices: readonly { value: string; label: string }[]
  /** What choosing nothing is called; without it something has to be chosen. */
  none?: string | undefined
}

/** What a `<select>` offers. */
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
