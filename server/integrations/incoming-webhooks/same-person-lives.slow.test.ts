process.env.RUNS ??= '40'
await import('./same-person-lives.test.ts')
