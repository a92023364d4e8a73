// Plays a bake of Seaway in Unity. Not run: compiled only by mcs 6.8, against stubs of Unity's
// classes. Written for Unity 2022.3.
//
// Bake with --format npy, which Unity's importers leave alone. Put the bake into Assets/StreamingAssets/sea, and
// this script on an object with a MeshFilter (a flat grid, in metres, with 32-bit indices) and a MeshRenderer
// whose material uses the shader Seaway/Bake. The object must not be turned or scaled.
// Check: the vertex at (x, 0, -z) in Unity must move to IMPORT.md's position with z negated.
using System;
using System.IO;
using UnityEngine;

public class SeawayBake : MonoBehaviour
{
    [Serializable] class Image { public string name, file, format; public int frame_digits; }
    [Serializable] class Patch { public string name; public float side_m, turn_rad; public int size; public Image[] images; }
    [Serializable] class Bake { public string format; public int version, frames; public float fps; public bool combined; public Patch[] patches; }

    public string folder = "sea"; // inside StreamingAssets
    Bake bake;
    Texture2DArray[] maps;
    string[] kinds;
    Material material;
    int shown = -1;

    string PathOf(string file) => Path.Combine(Application.streamingAssetsPath, folder, file);

    void Start()
    {
        bake = JsonUtility.FromJson<Bake>(File.ReadAllText(PathOf("bake.json")));
        if (bake.format != "seaway-bake" || bake.version != 1) throw new InvalidDataException("This is no bake of version 1.");
        if (bake.patches.Length > 4) throw new InvalidDataException("The shader has room for four patches.");
        kinds = bake.combined ? new[] { "displacement", "normal", "foam" } : new[] { "displacement", "slopes", "stretches" };
        material = GetComponent<MeshRenderer>().material;
        var patches = new Vector4[4];
        for (int i = 0; i < bake.patches.Length; i++)
        {
            var p = bake.patches[i];
            patches[i] = new Vector4(p.side_m, p.size, Mathf.Cos(p.turn_rad), Mathf.Sin(p.turn_rad));
        }
        material.SetVectorArray("_SeaPatches", patches);
        material.SetInt("_SeaCount", bake.patches.Length);
        material.SetInt("_SeaCombined", bake.combined ? 1 : 0);
        maps = new Texture2DArray[3];
        string[] names = { "_SeaDisplacement", "_SeaFirst", "_SeaSecond" };
        int n = bake.patches[0].size;
        for (int k = 0; k < 3; k++)
        {
            // The displacement keeps full precision; the others are filtered with mipmaps.
            var format = k == 0 ? TextureFormat.RGBAFloat : TextureFormat.RGBAHalf;
            maps[k] = new Texture2DArray(n, n, bake.patches.Length, format, k > 0, true)
            {
                wrapMode = TextureWrapMode.Repeat, filterMode = FilterMode.Trilinear
            };
            material.SetTexture(names[k], maps[k]);
        }
        GetComponent<MeshFilter>().mesh.bounds = new Bounds(Vector3.zero, Vector3.one * 1e5f); // never culled
    }

    void Update()
    {
        int frame = (int)Math.Floor(Time.timeAsDouble * bake.fps) % bake.frames;
        if (frame == shown) return;
        shown = frame;
        for (int k = 0; k < 3; k++)
        {
            for (int i = 0; i < bake.patches.Length; i++) maps[k].SetPixels(Read(bake.patches[i], kinds[k], frame), i);
            maps[k].Apply();
        }
    }

    // Row 0 of a file is z = 0, and row 0 of a texture is v = 0: nothing is flipped.
    Color[] Read(Patch patch, string kind, int frame)
    {
        var image = Array.Find(patch.images, i => i.name == kind);
        if (image.format != "npy") throw new InvalidDataException("Bake with --format npy.");
        byte[] bytes = File.ReadAllBytes(PathOf(image.file.Replace("{frame}", frame.ToString().PadLeft(image.frame_digits, '0'))));
        int header = bytes[6] > 1 ? 12 + BitConverter.ToInt32(bytes, 8) : 10 + BitConverter.ToUInt16(bytes, 8);
        var colors = new Color[patch.size * patch.size];
        for (int i = 0; i < colors.Length; i++)
        {
            int at = header + 12 * i;
            colors[i] = new Color(BitConverter.ToSingle(bytes, at), BitConverter.ToSingle(bytes, at + 4), BitConverter.ToSingle(bytes, at + 8), 1);
        }
        return colors;
    }
}
