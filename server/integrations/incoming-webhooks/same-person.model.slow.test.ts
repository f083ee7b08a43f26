process.env.RUNS ??= '40'
await import('./same-person.model.test.ts')
