const HASH = /\d[a-z]+\d|[a-z]\d+[a-z]|^\d+[a-z]{2}|^[a-f\d]{8,}$/i

/** Returns whether a tool made a name, which may be another at the next build or visit. */
export const isGenerated = (name: string): boolean =>
  /\d{4}|:r\w*:|_r_\w+_/i.test(name) ||
  name.split(/[-_:.]+/).some((part) => part.length > 4 && (HASH.test(part) || /[a-z][A-Z][a-z][A-Z]/.test(part)))
