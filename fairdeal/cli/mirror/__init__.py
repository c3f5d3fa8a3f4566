"""A log's files in a folder of one's own: fetched, resumed, verified before they are kept."""
