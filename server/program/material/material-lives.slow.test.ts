process.env.RUNS ??= '12'
await import('./material-lives.test.ts')
