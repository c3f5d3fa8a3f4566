// Gocheck audits a C2SP log with golang.org/x/mod/sumdb, which nobody here wrote.
//
//	gocheck LOCATION LOG_VKEY [WITNESS_VKEY ...]
//
// LOCATION is a folder or an http address. Checked are the checkpoint's signatures, every hash of
// every tile against it, every entry against its hash, records and older checkpoints by proofs,
// and, over HTTP, proof files. Prints one line and ends with 0 where all of it holds.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// fetch reads a path below the location; a nil slice stands for one that is absent.
type fetch func(path string) ([]byte, error)

func fromFolder(folder string) fetch {
	return func(path string) ([]byte, error) {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
		if errors.Is(err, os.ErrNotExist) {
			return nil, nil
		}
		return data, err
	}
}

func fromServer(prefix string) fetch {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("redirected")
	}}
	return func(path string) ([]byte, error) {
		answer, err := client.Get(strings.TrimSuffix(prefix, "/") + "/" + path)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		if answer.StatusCode == http.StatusNotFound {
			return nil, nil
		}
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s: %s", path, answer.Status)
		}
		return io.ReadAll(answer.Body)
	}
}

// pathOf returns the C2SP path of a tile: x/mod's own has the height in it, and other words.
func pathOf(tile tlog.Tile) string {
	rest := strings.TrimPrefix(tile.Path(), fmt.Sprintf("tile/%d/", height))
	if strings.HasPrefix(rest, "data/") {
		rest = "entries/" + strings.TrimPrefix(rest, "data/")
	}
	return "tile/" + rest
}

// tiles reads the tiles of one tree.
type tiles struct{ fetch fetch }

func (t tiles) Height() int                     { return height }
func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	found := make([][]byte, len(wanted))
	for i, tile := range wanted {
		data, err := t.fetch(pathOf(tile))
		if err != nil {
			return nil, err
		}
		if len(data) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes", pathOf(tile), len(data))
		}
		found[i] = data
	}
	return found, nil
}

// memory keeps the hashes of a tree that is built anew.
type memory struct{ hashes []tlog.Hash }

func (m *memory) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		found[i] = m.hashes[index]
	}
	return found, nil
}

// witness verifies lines of type cosignature/v1.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(signature)
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, text)
	return ed25519.Verify(w.key, []byte(message), signature[8:])
}

func newWitness(vkey string) (note.Verifier, error) {
	parts := strings.SplitN(vkey, "+", 3)
	if len(parts) != 3 {
		return nil, errors.New("this is no vkey: " + vkey)
	}
	key, err := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || len(key) != 1+ed25519.PublicKeySize || key[0] != 4 {
		return nil, errors.New("this is no witness' vkey: " + vkey)
	}
	digest := sha256.Sum256(append([]byte(parts[0]+"\n"), key...))
	if fmt.Sprintf("%x", digest[:4]) != parts[1] {
		return nil, errors.New("the key ID differs: " + vkey)
	}
	return witness{parts[0], binary.BigEndian.Uint32(digest[:]), key[1:]}, nil
}

// checkpoint is what a note that all the keys signed says.
func checkpoint(text []byte, keys []note.Verifier, origin string) (tlog.Tree, error) {
	opened, err := note.Open(text, note.VerifierList(keys...))
	if err != nil {
		return tlog.Tree{}, err
	}
	if len(opened.Sigs) != len(keys) {
		return tlog.Tree{}, fmt.Errorf("%d of %d keys signed", len(opened.Sigs), len(keys))
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != origin || lines[3] != "" {
		return tlog.Tree{}, errors.New("the checkpoint has another form or name")
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil {
		return tlog.Tree{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return tlog.Tree{N: size, Hash: root}, err
}

// entriesOf reads all entries, each bundle as wide as the size has it.
func entriesOf(get fetch, size int64) ([][]byte, error) {
	var entries [][]byte
	for first := int64(0); first < size; first += 1 << height {
		tile := tlog.Tile{H: height, L: -1, N: first >> height, W: 1 << height}
		if size-first < 1<<height {
			tile.W = int(size - first)
		}
		data, err := get(pathOf(tile))
		if err != nil {
			return nil, err
		}
		for i := 0; i < tile.W; i++ {
			if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
				return nil, fmt.Errorf("%s ends within entry %d", pathOf(tile), i)
			}
			end := 2 + int(binary.BigEndian.Uint16(data))
			entries, data = append(entries, data[2:end]), data[end:]
		}
		if len(data) != 0 {
			return nil, fmt.Errorf("%s goes on behind its entries", pathOf(tile))
		}
	}
	return entries, nil
}

// check audits a log and returns what it found.
func check(get fetch, keys []note.Verifier, served bool) (string, error) {
	origin := keys[0].Name()
	text, err := get("checkpoint")
	if err != nil {
		return "", err
	}
	tree, err := checkpoint(text, keys, origin)
	if err != nil {
		return "", fmt.Errorf("checkpoint: %w", err)
	}
	if tree.N == 0 {
		if tree.Hash != tlog.Hash(sha256.Sum256(nil)) {
			return "", errors.New("the root of nothing differs")
		}
		return "empty", nil
	}
	entries, err := entriesOf(get, tree.N)
	if err != nil {
		return "", err
	}
	built := &memory{}
	for i, entry := range entries {
		more, err := tlog.StoredHashes(int64(i), entry, built)
		if err != nil {
			return "", err
		}
		built.hashes = append(built.hashes, more...)
	}
	root, err := tlog.TreeHash(tree.N, built)
	if err != nil || root != tree.Hash {
		return "", fmt.Errorf("the entries have another root: %v", err)
	}
	reader := tlog.TileHashReader(tree, tiles{get})
	for first := 0; first < len(entries); first += 1 << height {
		var indexes []int64
		for i := first; i < len(entries) && i < first+1<<height; i++ {
			indexes = append(indexes, tlog.StoredHashIndex(0, int64(i)))
		}
		found, err := reader.ReadHashes(indexes) // and verifies them up to the root
		if err != nil {
			return "", err
		}
		for i, hash := range found {
			if hash != tlog.RecordHash(entries[first+i]) {
				return "", fmt.Errorf("entry %d has another hash in its tile", first+i)
			}
		}
	}
	records, err := checkRecords(get, reader, tree, entries, keys, served)
	if err != nil {
		return "", err
	}
	older, err := checkOlder(get, reader, tree, keys)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d entries, %d records proved, %d older checkpoints", len(entries), records, older), nil
}

func checkRecords(
	get fetch, reader tlog.HashReader, tree tlog.Tree, entries [][]byte, keys []note.Verifier, served bool,
) (int, error) {
	done := 0
	for _, n := range []int64{0, 1, 254, 255, 256, 511, tree.N / 2, tree.N - 1} {
		if n >= tree.N {
			continue
		}
		hash := tlog.RecordHash(entries[n])
		proof, err := tlog.ProveRecord(tree.N, n, reader)
		if err != nil {
			return 0, err
		}
		if err := tlog.CheckRecord(proof, tree.N, tree.Hash, n, hash); err != nil {
			return 0, fmt.Errorf("record %d: %w", n, err)
		}
		if served {
			if err := checkProofFile(get, n, hash, keys); err != nil {
				return 0, fmt.Errorf("proof/%d: %w", n, err)
			}
		}
		done++
	}
	return done, nil
}

// checkProofFile reads a .tlog-proof as C2SP has it.
func checkProofFile(get fetch, n int64, hash tlog.Hash, keys []note.Verifier) error {
	text, err := get(fmt.Sprintf("proof/%d", n))
	if err != nil {
		return err
	}
	head, signed, found := bytes.Cut(text, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	if !found || len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" || lines[1] != fmt.Sprintf("index %d", n) {
		return errors.New("this is no proof of it")
	}
	var proof tlog.RecordProof
	for _, line := range lines[2:] {
		one, err := tlog.ParseHash(line)
		if err != nil {
			return err
		}
		proof = append(proof, one)
	}
	tree, err := checkpoint(signed, keys, keys[0].Name())
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, n, hash)
}

func checkOlder(get fetch, reader tlog.HashReader, tree tlog.Tree, keys []note.Verifier) (int, error) {
	done := 0
	for _, size := range []int64{1, 2, 255, 256, 257, 511, 65_536, tree.N} {
		text, err := get(fmt.Sprintf("checkpoints/%d", size))
		if err != nil {
			return 0, err
		}
		if text == nil || size > tree.N {
			continue
		}
		old, err := checkpoint(text, keys, keys[0].Name())
		if err != nil || old.N != size {
			return 0, fmt.Errorf("checkpoints/%d: of size %d, %v", size, old.N, err)
		}
		proof, err := tlog.ProveTree(tree.N, old.N, reader)
		if err != nil {
			return 0, err
		}
		if err := tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash); err != nil {
			return 0, fmt.Errorf("checkpoints/%d: %w", size, err)
		}
		done++
	}
	return done, nil
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: gocheck LOCATION LOG_VKEY [WITNESS_VKEY ...]")
		os.Exit(2)
	}
	key, err := note.NewVerifier(os.Args[2])
	keys := []note.Verifier{key}
	for _, vkey := range os.Args[3:] {
		if err == nil {
			key, err = newWitness(vkey)
			keys = append(keys, key)
		}
	}
	get, served := fromFolder(os.Args[1]), strings.HasPrefix(os.Args[1], "http")
	if served {
		get = fromServer(os.Args[1])
	}
	found := ""
	if err == nil {
		found, err = check(get, keys, served)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gocheck:", err)
		os.Exit(1)
	}
	fmt.Println("gocheck:", found)
}
