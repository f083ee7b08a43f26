/** The type of a part that features export, once for each feature that has it. */
type PartOf<Features, Part extends string> = {
  [F in keyof Features]: Features[F] extends { [P in Part]: infer Value } ? Value : never
}[keyof Features]

type Intersection<Union> = (Union extends unknown ? (of: Union) => void : never) extends (of: infer All) => void
  ? All
  : never

const readParts = (features: object, part: string) =>
  Object.values(features).flatMap((feature) => (part in feature ? [feature[part] as object] : []))

/** Returns the entries that all features export as this part. Throws if two features have one of the same name. */
export function mergeParts<Features extends object, Part extends string>(
  features: Features,
  part: Part,
): Intersection<PartOf<Features, Part>> {
  const merged: Record<string, unknown> = {}
  for (const [name, value] of readParts(features, part).flatMap(Object.entries)) {
    if (name in merged) throw new Error(`two features have ${name} among their ${part}`)
    merged[name] = value
  }
  return merged as Intersection<PartOf<Features, Part>>
}

/** Returns the values of the lists that all features export as this part. */
export const listParts = <Features extends object, Part extends string>(features: Features, part: Part) =>
  readParts(features, part).flat() as (PartOf<Features, Part> extends readonly (infer Value)[] ? Value : never)[]
