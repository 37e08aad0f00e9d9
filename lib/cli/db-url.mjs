import { runningClusterUrl } from './private-cluster.mjs';
import { Refusal } from './project.mjs';

/** `dlo db-url`: DATABASE_URL, else the connection string of the private database if that runs. */
export function dbUrl() {
  const url = process.env.DATABASE_URL || runningClusterUrl();
  if (!url) throw new Refusal('The private database does not run. `npm start` starts it.');
  console.log(url);
}
